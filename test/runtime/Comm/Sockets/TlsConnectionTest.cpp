//===- TlsConnectionTest.cpp - Proofs and failures of connections ---------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Sockets/TlsConnection.h"
#include "runtime/Comm/Sockets/Address.h"
#include "test/runtime/Support.h"

#include <fcntl.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

using namespace pmrt;
using namespace pmrt::test;

namespace {

std::pair<Socket, Socket> makePair() {
  int ends[2] = {-1, -1};
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
  return {Socket(ends[0]), Socket(ends[1])};
}

std::string take(int socket) {
  char bytes[1 << 16];
  const ssize_t size = recv(socket, bytes, sizeof bytes, 0);
  return {bytes, size_t(std::max<ssize_t>(size, 0))};
}

void give(int socket, const std::string &bytes) {
  EXPECT_EQ(send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL),
            ssize_t(bytes.size()));
}

/// Rank 3 calls rank 1, and what they say goes through our hands.
struct Line {
  explicit Line(const Secret &callers = Secret("key", 3),
                const Secret &called = Secret("key", 1), int to = 1) {
    auto [a, b] = makePair();
    auto [c, d] = makePair();
    caller = TlsConnection(std::move(a), callers, to);
    callee = TlsConnection(std::move(d), called);
    near = std::move(b);
    far = std::move(c);
  }

  /// True if both are sure in the end.
  bool settle() {
    for (int i = 0; i < 8; ++i) {
      if ((caller.open() && !caller.greeted() && !caller.greet()) ||
          (callee.open() && !callee.greeted() && !callee.greet()))
        return false;
      const std::string there = take(near.get()), back = take(far.get());
      said += there;
      answered += back;
      give(far.get(), there);
      give(near.get(), back);
    }
    return caller.greeted() && callee.greeted();
  }

  /// What the caller puts on the connection for that.
  std::string encrypt(const std::string &text) {
    EXPECT_EQ(caller.write(text.data(), text.size()), text.size());
    EXPECT_TRUE(caller.flush());
    return take(near.get());
  }

  /// What comes of it at the other end; "!" and why if it is refused.
  std::string decrypt(const std::string &bytes) {
    give(far.get(), bytes);
    std::string text(1 << 16, '\0');
    const ssize_t size = callee.read(text.data(), text.size());
    return size < 0 ? "!" + callee.why() : text.substr(0, size_t(size));
  }

  TlsConnection caller, callee;
  Socket near, far; ///< ours, to them
  std::string said, answered;
};

} // namespace

TEST(TlsConnection, BothEndsKnowWhomTheyTalkTo) {
  Line line;
  EXPECT_EQ(line.callee.peer(), -1);
  ASSERT_TRUE(line.settle());
  EXPECT_EQ(line.caller.peer(), 1);
  EXPECT_EQ(line.callee.peer(), 3);
  const std::string text = "density of the first slab";
  const std::string bytes = line.encrypt(text);
  EXPECT_EQ(bytes.find("density"), std::string::npos);
  EXPECT_EQ(line.decrypt(bytes), text);
}

TEST(TlsConnection, WhoDoesNotKnowTheKeyOrMeansAnotherIsRefused) {
  EXPECT_FALSE(Line(Secret("key", 3), Secret("kez", 1)).settle());
  EXPECT_FALSE(Line(Secret("ke", 3), Secret("key", 1)).settle());
  EXPECT_FALSE(Line(Secret("key", 3), Secret("key", 1), 2).settle());
  EXPECT_FALSE(Line(Secret("key", 3), Secret("key", 3), 1).settle());
}

// A server as others have them: a certificate, and no key.
TEST(TlsConnection, ACertificateProvesNothing) {
  EVP_PKEY *pair = EVP_EC_gen("P-256");
  X509 *paper = X509_new();
  X509_gmtime_adj(X509_getm_notBefore(paper), -1000);
  X509_gmtime_adj(X509_getm_notAfter(paper), 1000);
  X509_set_pubkey(paper, pair);
  ASSERT_GT(X509_sign(paper, pair, EVP_sha256()), 0);
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  ASSERT_EQ(SSL_CTX_use_certificate(context, paper), 1);
  ASSERT_EQ(SSL_CTX_use_PrivateKey(context, pair), 1);
  auto [a, b] = makePair();
  TlsConnection caller(std::move(a), Secret("key", 3), 1);
  SSL *server = SSL_new(context);
  SSL_set_fd(server, b.get());
  ASSERT_TRUE(caller.greet());
  EXPECT_EQ(SSL_accept(server), -1);
  EXPECT_EQ(SSL_get_error(server, -1), SSL_ERROR_WANT_READ); // it has answered
  EXPECT_FALSE(caller.greet());
  EXPECT_FALSE(caller.open());
  SSL_free(server);
  SSL_CTX_free(context);
  X509_free(paper);
  EVP_PKEY_free(pair);
}

TEST(TlsConnection, WhatWasSaidBeforeOpensNothing) {
  Line line;
  ASSERT_TRUE(line.settle());
  const std::string all = line.said + line.encrypt("hello");
  auto [a, b] = makePair();
  TlsConnection callee(std::move(b), Secret("key", 1));
  give(a.get(), all);
  for (int i = 0; i < 8 && callee.open(); ++i)
    callee.greet();
  EXPECT_FALSE(callee.greeted());
  // Nor does what the other end has answered, to who calls.
  auto [c, d] = makePair();
  TlsConnection caller(std::move(c), Secret("key", 3), 1);
  EXPECT_TRUE(caller.greet());
  give(d.get(), line.answered);
  for (int i = 0; i < 8 && caller.open(); ++i)
    caller.greet();
  EXPECT_FALSE(caller.greeted());
}

TEST(TlsConnection, LittleIsReadBeforeTheProof) {
  for (const std::string &head :
       {std::string("\x16\x03\x01\x3f\xff\x01\0\x3f\xfb\x03\x03", 11),
        std::string("[[[[")}) {
    auto [a, b] = makePair();
    const Socket again(dup(b.get()));
    TlsConnection callee(std::move(b), Secret("key", 1));
    const std::string much = head + std::string(20000, '[');
    give(a.get(), much);
    EXPECT_FALSE(callee.greet());
    int left = 0;
    EXPECT_EQ(ioctl(again.get(), FIONREAD, &left), 0);
    EXPECT_GE(left, int(much.size()) - 1024);
  }
}

TEST(TlsConnection, WhatIsAlteredRepeatedOrLeftOutIsAnError) {
  for (size_t at : {0, 3, 5, 40, 68}) {
    Line line;
    ASSERT_TRUE(line.settle());
    EXPECT_EQ(line.decrypt(line.encrypt("first")), "first");
    std::string bytes = line.encrypt(std::string(50, 'x'));
    ASSERT_GT(bytes.size(), at);
    bytes[at] = char(bytes[at] ^ 1);
    // A longer length is waited for.
    std::string got = line.decrypt(bytes);
    if (got.empty())
      got = line.decrypt(line.encrypt(std::string(600, 'y')));
    EXPECT_EQ(got.substr(0, 1), "!") << at;
    EXPECT_GT(got.size(), 1u);
  }
  Line line;
  ASSERT_TRUE(line.settle());
  const std::string bytes = line.encrypt("once");
  EXPECT_EQ(line.decrypt(bytes), "once");
  EXPECT_EQ(line.decrypt(bytes).substr(0, 1), "!");
  Line other;
  ASSERT_TRUE(other.settle());
  const std::string first = other.encrypt("first");
  EXPECT_EQ(other.decrypt(other.encrypt("second")).substr(0, 1), "!");
  // From another connection of the same key.
  Line third;
  ASSERT_TRUE(third.settle());
  EXPECT_EQ(third.decrypt(first).substr(0, 1), "!");
}

TEST(TlsConnection, TheEndIsToldFromAnError) {
  Line line;
  ASSERT_TRUE(line.settle());
  char byte = 0;
  EXPECT_EQ(line.callee.read(&byte, 1), 0);
  line.far.close();
  EXPECT_EQ(line.callee.read(&byte, 1), -1);
  EXPECT_EQ(line.callee.why(), "");
  line.near.close();
  EXPECT_EQ(line.caller.write("x", 1), 1u);
  EXPECT_TRUE(line.caller.flush()); // dropped
  EXPECT_TRUE(line.caller.lost());
}

TEST(TlsConnection, KeysAreRenewedAsOftenAsNeeded) {
  Line line;
  ASSERT_TRUE(line.settle());
  for (int i = 0; i < 100; ++i) {
    line.caller.renewKeys();
    const std::string text = fmt::format("part {}", i);
    std::string got = line.decrypt(line.encrypt(text));
    EXPECT_EQ(got, text);
  }
}

TEST(TlsConnection, WhatComesWithTheLastWordsIsKept) {
  Line line;
  ASSERT_TRUE(line.settle());
  const std::string last = line.encrypt("last");
  line.caller.goBare();
  EXPECT_TRUE(line.caller.bare());
  const std::string bare = line.encrypt("density");
  EXPECT_EQ(bare, "density");
  EXPECT_EQ(line.decrypt(last + bare), "last");
  line.callee.goBare();
  EXPECT_EQ(line.decrypt(" and more"), "density");
  EXPECT_EQ(line.decrypt(""), " and more");
  EXPECT_EQ(line.decrypt(""), "");
  line.callee.renewKeys(); // there are none
  line.far.close();
  char byte = 0;
  EXPECT_EQ(line.callee.read(&byte, 1), -1);
  EXPECT_EQ(line.callee.why(), "");
}

TEST(TlsConnection, WhatWasSaidWithKeysIsNotTakenForBare) {
  Line line;
  ASSERT_TRUE(line.settle());
  give(line.far.get(), line.encrypt("last"));
  char bytes[2];
  EXPECT_EQ(line.callee.read(bytes, 2), 2);
  EXPECT_THROW(line.callee.goBare(), std::runtime_error);
}

// More than the kernel buffers, in parts of all sizes.
static void sendMuch(Line &line) {
  std::string sent(3000000, '\0'), got;
  for (size_t i = 0; i < sent.size(); ++i)
    sent[i] = char(i * 7 + i / 1000);
  size_t written = 0, turn = 0;
  std::vector<char> part(50000);
  for (int idle = 0; got.size() < sent.size() && idle < 1000; ++idle) {
    const size_t wish = std::min(sent.size() - written, ++turn * 977 % 40000);
    written += line.caller.write(sent.data() + written, wish);
    (void)line.caller.flush();
    give(line.far.get(), take(line.near.get()));
    for (ssize_t size = 0;
         (size = line.callee.read(part.data(), turn * 37 % 50000 + 1)) > 0;
         idle = 0)
      got.append(part.data(), size_t(size));
  }
  EXPECT_EQ(got, sent);
}

TEST(TlsConnection, AllComesInOrder) {
  Line line;
  ASSERT_TRUE(line.settle());
  sendMuch(line);
  line.caller.goBare();
  line.callee.goBare();
  sendMuch(line);
}

TEST(Address, IsThatOfASocket) {
  for (const char *text :
       {"10.0.0.5:4711", "0.0.0.0:1", "[fd00::5]:1", "[::1]:65535"}) {
    const auto address = Address::of(Address::parse(text)->get());
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->text(), text);
    EXPECT_EQ(address->size(), Address::parse(text)->size());
  }
  const auto mapped =
      Address::of(Address::parse("[::ffff:10.1.2.3]:4711")->get());
  ASSERT_TRUE(mapped);
  EXPECT_EQ(mapped->text(), "10.1.2.3:4711");
  EXPECT_EQ(mapped->family(), AF_INET);
  EXPECT_FALSE(Address::of(Address::parse("local:00a3f")->get()));
}

TEST(Address, IsReadAndWritten) {
  for (const char *text :
       {"10.0.0.5:4711", "[fd00::5]:1", "[::1]:65535", "local:00a3f"}) {
    const auto address = Address::parse(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->text(), text);
  }
  for (const char *text :
       {"", "x", "10.0.0.5", "10.0.0.5:", "10.0.0.5:x", "10.0.0.5:70000",
        "local:", "fd00::5:1", "[fd00::5]", "[]:1"})
    EXPECT_FALSE(Address::parse(text)) << text;
  const auto bits = [](const char *a, const char *b) {
    return Address::parse(a)->bitsLike(*Address::parse(b));
  };
  EXPECT_EQ(bits("10.0.0.5:1", "10.0.0.4:2"), 31);
  EXPECT_EQ(bits("10.0.0.5:1", "10.0.0.5:2"), 32);
  EXPECT_EQ(bits("[fd00::1]:1", "[fe00::1]:1"), 6);
  EXPECT_EQ(bits("10.0.0.5:1", "[::1]:1"), -1);
  EXPECT_EQ(bits("10.0.0.5:1", "local:0000"), -1);
  EXPECT_FALSE(Address::parse("local:" + std::string(200, 'x')));
  EXPECT_TRUE(Address::parse("127.3.0.1:1")->isLoopback());
  EXPECT_FALSE(Address::parse("[fd00::1]:1")->isLoopback());
  EXPECT_TRUE(Address::parse("169.254.1.1:1")->isLinkLocal());
  EXPECT_TRUE(Address::parse("[fe90::1]:1")->isLinkLocal());
  EXPECT_FALSE(Address::parse("[fec0::1]:1")->isLinkLocal());
}
