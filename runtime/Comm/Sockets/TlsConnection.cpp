//===- TlsConnection.cpp - Authenticated connections of ranks -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Sockets/TlsConnection.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

using namespace pmrt;

/// The most bytes that are read before the proof, which takes a few hundred.
static constexpr size_t mostOfPending = 1024;
/// What OpenSSL encrypts at once.
static constexpr size_t recordBytes = 1 << 14;
/// Read of the next ones with the end of one.
static constexpr size_t aheadBytes = 512;
/// AES-GCM is safe for some hundred GB with one key (RFC 8446, 5.5).
static constexpr size_t bytesOfAKey = size_t(1) << 36;

/// What OpenSSL found wrong last.
static std::string sslReason() {
  const unsigned long code = ERR_peek_last_error();
  const char *reason = code ? ERR_reason_error_string(code) : nullptr;
  return reason ? reason : "a TLS error";
}

[[noreturn]] static void failSetup(const char *what) {
  throw std::runtime_error(
      fmt::format("OpenSSL cannot {}: {}", what, sslReason()));
}

//===----------------------------------------------------------------------===//
// The key
//===----------------------------------------------------------------------===//

struct pmrt::SecretState {
  std::string key;
  int rank = 0;
  SSL_CTX *context = nullptr;
  BIO_METHOD *method = nullptr;

  SecretState() = default;
  SecretState(const SecretState &) = delete;
  SecretState &operator=(const SecretState &) = delete;
  ~SecretState() {
    SSL_CTX_free(context);
    BIO_meth_free(method);
  }

  static constexpr std::string_view protocol = "pmc-ranks-1 ";
  /// Who the caller is and means; bound into the proof.
  static std::string identity(int from, int to) {
    return fmt::format("{}{} {}", protocol, from, to);
  }

  /// What OpenSSL takes a key as.
  SSL_SESSION *session(SSL *ssl) const {
    static constexpr unsigned char aes128[] = {0x13, 0x01};
    SSL_SESSION *made = SSL_SESSION_new();
    const SSL_CIPHER *cipher = SSL_CIPHER_find(ssl, aes128);
    if (made && cipher &&
        SSL_SESSION_set1_master_key(
            made, reinterpret_cast<const unsigned char *>(key.data()),
            key.size()) &&
        SSL_SESSION_set_cipher(made, cipher) &&
        SSL_SESSION_set_protocol_version(made, TLS1_3_VERSION))
      return made;
    SSL_SESSION_free(made);
    return nullptr;
  }
};

//===----------------------------------------------------------------------===//
// The connection
//===----------------------------------------------------------------------===//

struct pmrt::TlsConnectionState {
  Socket socket;
  std::shared_ptr<const SecretState> secret;
  SSL *ssl = nullptr; ///< none of a bare one
  int peer = -1;
  std::string identity;
  bool greeted = false;
  size_t heard = 0;   ///< bytes, before it was greeted
  bool ended = false; ///< nothing more comes
  bool lost = false;  ///< nothing more can be sent
  std::string ahead;  ///< has come, and was not asked for yet
  std::string out;    ///< encrypted, and not sent yet
  size_t sent = 0;    ///< of that
  size_t ofThisKey = 0;
  std::string why;

  TlsConnectionState(Socket theSocket,
                     std::shared_ptr<const SecretState> theSecret)
      : socket(std::move(theSocket)), secret(std::move(theSecret)),
        ssl(SSL_new(secret->context)) {
    BIO *bio = BIO_new(secret->method);
    if (!ssl || !bio) {
      BIO_free(bio);
      SSL_free(ssl);
      failSetup("make a connection");
    }
    BIO_set_data(bio, this);
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl, bio, bio);
    SSL_set_app_data(ssl, this);
  }
  TlsConnectionState(const TlsConnectionState &) = delete;
  TlsConnectionState &operator=(const TlsConnectionState &) = delete;
  ~TlsConnectionState() { SSL_free(ssl); }

  static TlsConnectionState &of(BIO *bio) {
    return *static_cast<TlsConnectionState *>(BIO_get_data(bio));
  }
  static TlsConnectionState &of(SSL *ssl) {
    return *static_cast<TlsConnectionState *>(SSL_get_app_data(ssl));
  }

  /// Bytes that the kernel has taken.
  size_t push(const char *data, size_t size);
  /// Bytes of a bare one.
  ssize_t pull(char *data, size_t size);
  /// Sends what is left; true if that is all.
  bool flush() {
    sent += push(out.data() + sent, out.size() - sent);
    if (sent < out.size() && !lost)
      return false;
    out.clear();
    sent = 0;
    return true;
  }

  // What OpenSSL calls.
  static int collect(BIO *bio, const char *data, int size);
  static int fetch(BIO *bio, char *data, int size);
  static long control(BIO *bio, int command, long number, void *more);
  static int tellIdentity(SSL *ssl, const EVP_MD *hash,
                          const unsigned char **identity, size_t *size,
                          SSL_SESSION **session);
  static int checkIdentity(SSL *ssl, const unsigned char *identity, size_t size,
                           SSL_SESSION **session);

  static BIO_METHOD *makeMethod();
  static SSL_CTX *makeContext();

  /// After a call that has not done what it should: whether it only waits.
  bool waits(int result) {
    const int error = SSL_get_error(ssl, result);
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE)
      return true;
    ended |= error == SSL_ERROR_ZERO_RETURN;
    if (!ended)
      why = sslReason();
    return false;
  }
};

size_t TlsConnectionState::push(const char *data, size_t size) {
  size_t done = 0;
  while (done < size && !lost) {
    const ssize_t here =
        send(socket.get(), data + done, size - done, MSG_NOSIGNAL);
    if (here >= 0)
      done += size_t(here);
    // Also for want of the kernel's memory, which comes back.
    else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS ||
             errno == ENOMEM)
      break;
    else if (errno != EINTR)
      lost = true;
  }
  return done;
}

ssize_t TlsConnectionState::pull(char *data, size_t size) {
  if (const size_t here = std::min(size, ahead.size()); here > 0) {
    ahead.copy(data, here);
    ahead.erase(0, here);
    return ssize_t(here);
  }
  for (;;) {
    const ssize_t done = recv(socket.get(), data, size, 0);
    if (done > 0)
      return done;
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0 && errno == EAGAIN)
      return 0;
    ended = true;
    return -1;
  }
}

int TlsConnectionState::collect(BIO *bio, const char *data, int size) {
  TlsConnectionState &self = of(bio);
  const size_t done = self.flush() ? self.push(data, size_t(size)) : 0;
  self.out.append(data + done, size_t(size) - done);
  return size;
}

int TlsConnectionState::fetch(BIO *bio, char *data, int size) {
  TlsConnectionState &self = of(bio);
  BIO_clear_retry_flags(bio);
  if (const size_t here = std::min(size_t(size), self.ahead.size()); here > 0) {
    self.ahead.copy(data, here);
    self.ahead.erase(0, here);
    return int(here);
  }
  auto most = size_t(size);
  if (!self.greeted)
    most = std::min(most, mostOfPending - self.heard);
  if (most == 0)
    return -1; // no rank says that much
  // With the rest of a record comes the head of the next one.
  char more[aheadBytes];
  iovec parts[2] = {{data, most}, {more, self.greeted ? aheadBytes : 0}};
  const ssize_t done = readv(self.socket.get(), parts, 2);
  if (done < 0 && (errno == EAGAIN || errno == EINTR)) {
    BIO_set_retry_read(bio);
    return -1;
  }
  self.ended |= done <= 0;
  if (done > 0 && !self.greeted)
    self.heard += size_t(done);
  if (done > ssize_t(most))
    self.ahead.assign(more, size_t(done) - most);
  return int(std::min(done, ssize_t(most)));
}

long TlsConnectionState::control(BIO *, int command, long, void *) {
  return command == BIO_CTRL_FLUSH;
}

int TlsConnectionState::tellIdentity(SSL *ssl, const EVP_MD *,
                                     const unsigned char **identity,
                                     size_t *size, SSL_SESSION **session) {
  const TlsConnectionState &self = of(ssl);
  *identity = reinterpret_cast<const unsigned char *>(self.identity.data());
  *size = self.identity.size();
  *session = self.secret->session(ssl);
  return *session != nullptr;
}

/// Of another rank or protocol: no session, and so the end.
int TlsConnectionState::checkIdentity(SSL *ssl, const unsigned char *identity,
                                      size_t size, SSL_SESSION **session) {
  TlsConnectionState &self = of(ssl);
  const std::string text(reinterpret_cast<const char *>(identity),
                         std::min<size_t>(size, 64));
  int from = -1;
  *session = nullptr;
  if (text.starts_with(SecretState::protocol))
    std::from_chars(text.data() + SecretState::protocol.size(),
                    text.data() + text.size(), from);
  if (from >= 0 && text == SecretState::identity(from, self.secret->rank)) {
    self.peer = from;
    *session = self.secret->session(ssl);
  }
  return 1;
}

BIO_METHOD *TlsConnectionState::makeMethod() {
  BIO_METHOD *made =
      BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "pmrt");
  if (!made)
    failSetup("start");
  BIO_meth_set_write(made, collect);
  BIO_meth_set_read(made, fetch);
  BIO_meth_set_ctrl(made, control);
  return made;
}

SSL_CTX *TlsConnectionState::makeContext() {
  // A file of the system's could choose other protocols and engines.
  OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  SSL_CTX *made = SSL_CTX_new(TLS_method());
  if (!made || !SSL_CTX_set_min_proto_version(made, TLS1_3_VERSION) ||
      !SSL_CTX_set_max_proto_version(made, TLS1_3_VERSION) ||
      !SSL_CTX_set_ciphersuites(made, "TLS_AES_128_GCM_SHA256") ||
      !SSL_CTX_set1_groups_list(made, "X25519") ||
      !SSL_CTX_set_num_tickets(made, 0)) {
    SSL_CTX_free(made);
    failSetup("set up TLS 1.3");
  }
  SSL_CTX_clear_options(made, SSL_OP_ENABLE_MIDDLEBOX_COMPAT);
  SSL_CTX_set_session_cache_mode(made, SSL_SESS_CACHE_OFF);
  // Connections without proof get small buffers, freed as soon as empty.
  SSL_CTX_set_mode(made, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_psk_use_session_callback(made, tellIdentity);
  SSL_CTX_set_psk_find_session_callback(made, checkIdentity);
  return made;
}

Secret::Secret(std::string key, int rank) {
  auto made = std::make_shared<SecretState>();
  made->key = std::move(key);
  made->rank = rank;
  made->method = TlsConnectionState::makeMethod();
  made->context = TlsConnectionState::makeContext();
  state = std::move(made);
}

TlsConnection::TlsConnection() = default;
TlsConnection::TlsConnection(TlsConnection &&) noexcept = default;
TlsConnection &TlsConnection::operator=(TlsConnection &&) noexcept = default;
TlsConnection::~TlsConnection() = default;

TlsConnection::TlsConnection(Socket socket, const Secret &secret, int to)
    : state(std::make_unique<TlsConnectionState>(std::move(socket),
                                                 secret.state)) {
  state->peer = to;
  state->identity = SecretState::identity(secret.state->rank, to);
  // Who shows a certificate instead of the key is refused: none is trusted.
  SSL_set_verify(state->ssl, SSL_VERIFY_PEER, nullptr);
  SSL_set_connect_state(state->ssl);
}

TlsConnection::TlsConnection(Socket socket, const Secret &secret)
    : state(std::make_unique<TlsConnectionState>(std::move(socket),
                                                 secret.state)) {
  SSL_set_accept_state(state->ssl);
}

int TlsConnection::get() const { return state ? state->socket.get() : -1; }
void TlsConnection::close() { state.reset(); }
bool TlsConnection::greeted() const { return state && state->greeted; }
int TlsConnection::peer() const { return greeted() ? state->peer : -1; }
bool TlsConnection::lost() const { return state->lost; }
const std::string &TlsConnection::why() const { return state->why; }

short TlsConnection::waitsFor() const {
  return state->sent < state->out.size() ? POLLOUT : POLLIN;
}

bool TlsConnection::greet() {
  ERR_clear_error();
  const int result = SSL_do_handshake(state->ssl);
  const bool goesOn = result == 1 || state->waits(result);
  (void)flush(); // also says why it ends
  // No other way than by the key leads here; it is looked at all the same.
  if (!goesOn || (result == 1 && !SSL_session_reused(state->ssl))) {
    close();
    return false;
  }
  if (result != 1)
    return true;
  state->greeted = true;
  SSL_clear_mode(state->ssl, SSL_MODE_RELEASE_BUFFERS);
  return true;
}

ssize_t TlsConnection::read(void *data, size_t size) {
  if (bare())
    return state->pull(static_cast<char *>(data), size);
  ERR_clear_error();
  const int result =
      SSL_read(state->ssl, data, int(std::min(size, recordBytes)));
  if (result > 0)
    return result;
  return state->waits(result) ? 0 : -1;
}

size_t TlsConnection::write(const void *data, size_t size) {
  const auto *from = static_cast<const char *>(data);
  if (bare())
    return !flush() ? 0 : state->lost ? size : state->push(from, size);
  size_t done = 0;
  while (done < size) {
    if (!flush())
      break;
    if (state->ofThisKey >= bytesOfAKey)
      renewKeys();
    ERR_clear_error();
    const int part = SSL_write(state->ssl, from + done,
                               int(std::min(size - done, recordBytes)));
    if (part <= 0)
      break; // an error, which the next read reports
    done += size_t(part);
    state->ofThisKey += size_t(part);
  }
  return done;
}

bool TlsConnection::flush() { return state->flush(); }

bool TlsConnection::bare() const { return !state->ssl; }

void TlsConnection::goBare() {
  // What was said with keys has been read to its end, or it was more than what
  // both have agreed by.
  if (SSL_has_pending(state->ssl))
    throw std::runtime_error("more data than agreed on was received");
  SSL_free(std::exchange(state->ssl, nullptr));
}

void TlsConnection::renewKeys() {
  if (bare())
    return;
  SSL_key_update(state->ssl, SSL_KEY_UPDATE_NOT_REQUESTED);
  state->ofThisKey = 0;
}
