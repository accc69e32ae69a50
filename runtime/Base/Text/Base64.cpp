//===- Base64.cpp - Bytes as text -----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text/Base64.h"

#include <openssl/evp.h>

std::string pmrt::base64(const std::string &bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int length = EVP_EncodeBlock(
      reinterpret_cast<unsigned char *>(text.data()),
      reinterpret_cast<const unsigned char *>(bytes.data()), int(bytes.size()));
  text.resize(size_t(length));
  return text;
}
