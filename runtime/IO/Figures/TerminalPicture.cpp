//===- TerminalPicture.cpp - Pictures in a terminal -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Figures/TerminalPicture.h"

#include "runtime/Base/Text/Base64.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

using namespace pmrt;

std::string pmrt::halfBlocks(const Pixels &pixels) {
  auto colour = [&](int layer, int column, int row) {
    const uint8_t *at =
        &pixels.bytes[3 *
                      (size_t(row) * size_t(pixels.columns) + size_t(column))];
    return fmt::format("\033[{};2;{};{};{}m", layer, at[0], at[1], at[2]);
  };
  std::string out;
  for (int row = 0; row + 1 < pixels.rows; row += 2) {
    std::string before;
    for (int column = 0; column < pixels.columns; ++column) {
      std::string both = colour(48, column, row) + colour(38, column, row + 1);
      out += both == before ? "▄" : both + "▄";
      before = std::move(both);
    }
    out += "\033[0m\n";
  }
  return out;
}

std::string pmrt::sixels(const Pixels &pixels) {
  auto level = [](uint8_t byte) { return (byte * 5 + 127) / 255; };
  auto colourAt = [&](int column, int row) {
    const uint8_t *at =
        &pixels.bytes[3 *
                      (size_t(row) * size_t(pixels.columns) + size_t(column))];
    const int index = 36 * level(at[0]) + 6 * level(at[1]) + level(at[2]);
    return size_t(index);
  };
  std::string out =
      fmt::format("\033Pq\"1;1;{};{}", pixels.columns, pixels.rows);
  for (int c = 0; c < 216; ++c)
    out += fmt::format("#{};2;{};{};{}", c, c / 36 * 20, c / 6 % 6 * 20,
                       c % 6 * 20);
  for (int top = 0; top < pixels.rows; top += 6) {
    std::array<bool, 216> used{};
    const int end = std::min(top + 6, pixels.rows);
    for (int row = top; row < end; ++row)
      for (int column = 0; column < pixels.columns; ++column)
        used[colourAt(column, row)] = true;
    for (size_t c = 0; c < used.size(); ++c) {
      if (!used[c])
        continue;
      out += fmt::format("#{}", c);
      for (int column = 0; column < pixels.columns;) {
        auto bits = [&](int at) {
          int mask = 0;
          for (int row = top; row < end; ++row)
            mask |= int(colourAt(at, row) == c) << (row - top);
          return mask;
        };
        const int mask = bits(column), first = column;
        while (column < pixels.columns && bits(column) == mask)
          ++column;
        out += fmt::format("!{}{}", column - first, char('?' + mask));
      }
      out += '$';
    }
    out += '-';
  }
  return out + "\033\\\n";
}

std::string pmrt::kittyPicture(const std::string &png, int columns) {
  const std::string text = base64(png);
  constexpr size_t most = 4096;
  std::string out;
  for (size_t at = 0; at < text.size(); at += most)
    out += fmt::format("\033_G{}m={};{}\033\\",
                       at ? "" : fmt::format("a=T,f=100,q=2,c={},", columns),
                       at + most < text.size() ? 1 : 0, text.substr(at, most));
  return out + "\n";
}

/// Asks the terminal what it is: the answer has a 4 if it draws sixels. Waits
/// for a fifth of a second at most.
static bool drawsSixels() {
  const int tty = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (tty < 0)
    return false;
  bool found = false;
  termios before{};
  // A program in the background would be stopped.
  if (tcgetpgrp(tty) == getpgrp() && tcgetattr(tty, &before) == 0) {
    termios raw = before;
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO);
    tcsetattr(tty, TCSANOW, &raw);
    std::string answer;
    if (write(tty, "\033[c", 3) == 3) {
      pollfd wait{tty, POLLIN, 0};
      char byte = 0;
      while (answer.size() < 64 && poll(&wait, 1, 200) > 0 &&
             read(tty, &byte, 1) == 1) {
        answer += byte;
        if (byte == 'c')
          break;
      }
    }
    tcsetattr(tty, TCSANOW, &before);
    found =
        answer.starts_with("\033[?") &&
        (answer.find(";4;") != std::string::npos || answer.ends_with(";4c"));
  }
  close(tty);
  return found;
}

std::string pmrt::terminalKind() {
  if (!isatty(STDERR_FILENO))
    return "blocks";
  const char *term = std::getenv("TERM");
  if (std::getenv("KITTY_WINDOW_ID") ||
      std::string(term ? term : "").find("kitty") != std::string::npos)
    return "kitty";
  return drawsSixels() ? "sixel" : "blocks";
}

int pmrt::terminalWidth() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::min<int>(size.ws_col, 100);
  return 72;
}
