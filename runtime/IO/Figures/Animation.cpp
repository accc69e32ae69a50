//===- Animation.cpp - Plots of a loop, one after the other ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Figures/Animation.h"

#include "runtime/Base/Files/WholeFile.h"
#include "runtime/Base/Interrupts.h"
#include "runtime/IO/Figures/FigureData.h"
#include "runtime/IO/Figures/Plot.h"
#include "runtime/IO/Files/OutputFile.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <spawn.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace pmrt;
namespace fs = std::filesystem;

/// Longer ones have every second frame, or every third, and so on.
static constexpr size_t mostFrames = 300;

/// The iterations in a frame's name: "waves_003_010.png" of `waves`.
static std::optional<std::vector<int64_t>>
iterationsOf(const fs::path &path, const std::string &plot, size_t loops) {
  const std::string name = path.filename();
  if (!name.starts_with(plot + "_") || !name.ends_with(".png"))
    return std::nullopt;
  std::istringstream rest(
      name.substr(plot.size() + 1, name.size() - plot.size() - 5));
  std::vector<int64_t> numbers;
  for (std::string part; std::getline(rest, part, '_');) {
    const size_t digits = part.starts_with('-') ? 1 : 0;
    if (part.size() < digits + 1 || part.size() > 18 ||
        part.find_first_not_of("0123456789", digits) != std::string::npos)
      return std::nullopt;
    numbers.push_back(std::stoll(part));
  }
  if (numbers.size() != loops)
    return std::nullopt;
  return numbers;
}

/// Frames that a run made before it was stopped and resumed: before `first`,
/// or all if it has made none since.
static std::vector<std::string> earlierFrames(const Context &context,
                                              const std::string &plot,
                                              size_t loops,
                                              const std::string &first) {
  std::vector<std::pair<std::vector<int64_t>, std::string>> found;
  const auto limit = iterationsOf(first, plot, loops);
  if (!context.settings.resume)
    return {};
  for (const auto &entry : fs::directory_iterator(context.settings.out))
    if (auto at = iterationsOf(entry.path(), plot, loops);
        at && (!limit || *at < *limit))
      found.emplace_back(*at, entry.path());
  std::sort(found.begin(), found.end());
  std::vector<std::string> paths;
  for (const auto &[at, path] : found)
    paths.push_back(path);
  return paths;
}

/// Where the shell would find it, or "".
static std::string findProgram(const char *name) {
  const char *list = std::getenv("PATH");
  std::istringstream folders(list ? list : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path path = fs::path(folder) / name;
        fs::path(folder).is_absolute() && access(path.c_str(), X_OK) == 0)
      return path;
  return "";
}

/// The same as a film of H.264, of even width and height. Returns its path, or
/// "" where ffmpeg is not, or cannot do it: the animation is there.
static std::string makeFilm(const std::string &animation) {
  const std::string ffmpeg = findProgram("ffmpeg");
  if (ffmpeg.empty())
    return "";
  std::string film = fs::path(animation).replace_extension(".mp4");
  const std::string made = fs::path(animation).replace_extension(".part.mp4");
  std::vector<std::string> words = {ffmpeg,
                                    "-nostdin",
                                    "-loglevel",
                                    "error",
                                    "-y",
                                    "-f",
                                    "apng",
                                    "-ignore_loop",
                                    "1",
                                    "-i",
                                    animation,
                                    "-vf",
                                    "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                    "-pix_fmt",
                                    "yuv420p",
                                    "-movflags",
                                    "+faststart",
                                    made};
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawn(&child, ffmpeg.c_str(), nullptr, nullptr, arguments.data(),
                  environ) != 0)
    return "";
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::error_code error;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    fs::rename(made, film, error);
  else
    error = std::make_error_code(std::errc::io_error);
  if (!error)
    return film;
  fs::remove(made, error);
  return "";
}

//===----------------------------------------------------------------------===//
// Frames that share their scales
//===----------------------------------------------------------------------===//

static void include(std::vector<double> &all, const std::vector<double> &one) {
  if (one.empty())
    return;
  if (all.empty())
    all = one;
  all[0] = std::min(all[0], one[0]);
  all[1] = std::max(all[1], one[1]);
}

static void setRanges(Figure &figure, const PanelRanges &ranges) {
  for (auto [axis, range] : {std::pair(&figure.right, &ranges.right),
                             {&figure.up, &ranges.up},
                             {&figure.value, &ranges.value}})
    if (!axis->isGiven)
      axis->range = *range;
}

/// What a frame shows. It may be of an earlier run, and damaged: an error names
/// the file.
static std::optional<WholeFigure> readFrame(const std::string &path) {
  const std::string file = readWholeFile(path);
  try {
    return wholeFigureIn(file);
  } catch (const std::runtime_error &e) {
    throw std::runtime_error(
        fmt::format("{} is damaged: {}; remove it to leave this frame out",
                    path, e.what()));
  }
}

/// Draws frames again, on the scales that hold the values of all.
static void shareScales(Context &context,
                        const std::vector<std::string> &paths) {
  std::vector<PanelRanges> all;
  std::vector<std::string> frames;
  for (const std::string &path : paths)
    if (const auto whole = readFrame(path)) {
      frames.push_back(path);
      all.resize(std::max(all.size(), whole->ranges.size()));
      for (size_t p = 0; p < whole->ranges.size(); ++p) {
        // Panels that share their scales, too, have one for all.
        PanelRanges &common = all[whole->figure.shared ? 0 : p];
        include(common.right, whole->ranges[p].right);
        include(common.up, whole->ranges[p].up);
        include(common.value, whole->ranges[p].value);
      }
    }
  auto *draw = drawingFunction();
  for (size_t i = 0; i < frames.size(); ++i) {
    checkInterrupt();
    context.transport->poll();
    context.progress.phase("drawing frames on one scale",
                           double(i) / double(frames.size()));
    auto whole = readFrame(frames[i]);
    if (!whole) // changed by somebody else
      continue;
    Figure &figure = whole->figure;
    for (size_t p = 0; p < figure.panels.size() && p < all.size(); ++p)
      setRanges(figure.panels[p], all[figure.shared ? 0 : p]);
    if (figure.panels.empty() && !all.empty())
      setRanges(figure, all[0]);
    Drawing drawing;
    draw(figure, PlotFormat::Png, drawing);
    writeWholeFile(frames[i], drawing.file, context.token);
    tellLayout(fs::path(frames[i]).stem(), drawing);
  }
}

void pmrt::animateFrames(Context &context) {
  const bool first = context.transport->rank() == 0;
  for (const Plot &plot : context.program.plots) {
    if (plot.panel != 0 || plot.loops == 0 ||
        context.settings.plots != PlotFormat::Png)
      continue;
    const auto found = context.frames.find(plot.figure);
    const std::vector<std::string> own = found == context.frames.end()
                                             ? std::vector<std::string>()
                                             : found->second;
    if (own.empty() && !context.settings.resume)
      continue;
    const std::string path =
        (fs::path(context.settings.out) / (plot.figure + ".png")).string();
    std::string problem, film;
    bool isMade = true; // a resumed run may have nothing to show
    if (first) {
      try {
        std::vector<std::string> paths =
            earlierFrames(context, plot.figure, size_t(plot.loops),
                          own.empty() ? "" : own.front());
        paths.insert(paths.end(), own.begin(), own.end());
        isMade = !paths.empty();
        if (plot.shared)
          shareScales(context, paths);
        const size_t step = (paths.size() + mostFrames - 1) / mostFrames;
        std::vector<std::string> shown;
        for (size_t i = 0; i < paths.size(); i += step)
          shown.push_back(paths[i]);
        if (isMade) {
          std::string file;
          animatingFunction()(shown, file);
          writeWholeFile(path, file, context.token);
          film = makeFilm(path);
        }
      } catch (const std::runtime_error &e) {
        problem = e.what();
      }
    }
    context.agree(-1, problem);
    if (isMade)
      context.written.add(path);
    if (!film.empty())
      context.written.add(film);
  }
}
