//===- MeshTest.cpp - Which part of every dim a rank owns -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/Support.h"

using namespace pmrt;
using namespace pmrt::test;

TEST(Mesh, ShardsCoverUnevenDims) {
  for (int64_t cells : {1, 7, 16, 130})
    for (int64_t parts : {1, 2, 3, 5, 8}) {
      int64_t next = 0;
      for (int64_t i = 0; i < parts; ++i) {
        const Shard shard = shardOf(cells, 1, i, parts);
        EXPECT_EQ(shard.offset, next);
        EXPECT_EQ(shard.offset, i * cells / parts);
        next += shard.extent;
      }
      EXPECT_EQ(next, cells);
    }
}

TEST(Mesh, RefinedDimsInheritBoundaries) {
  for (int64_t i = 0; i < 3; ++i) {
    const Shard coarse = shardOf(10, 1, i, 3), fine = shardOf(20, 2, i, 3);
    EXPECT_EQ(fine.offset, 2 * coarse.offset);
    EXPECT_EQ(fine.extent, 2 * coarse.extent);
  }
}

TEST(Mesh, ShardsCoverDimsThatAreNoMultipleOfARefinement) {
  for (int64_t refine : {2, 3, 4})
    for (int64_t cells : {1, 2, 7, 13, 24})
      for (int64_t parts : {1, 2, 3, 5}) {
        int64_t next = 0;
        for (int64_t i = 0; i < parts; ++i) {
          const Shard shard = shardOf(cells, refine, i, parts);
          EXPECT_EQ(shard.offset, next);
          next += shard.extent;
        }
        EXPECT_EQ(next, cells) << refine << " " << parts;
      }
}

TEST(Mesh, RanksAreRowMajor) {
  const Dim x{"x", 12, 1, DimKind::Space, {"row"}};
  const Dim both{"y", 12, 1, DimKind::Space, {"row", "col"}};
  const Dim whole{"z", 12, 1, DimKind::Half, {}};
  const Mesh mesh({{"row", 2}, {"col", 3}}, 4); // row 1, col 1
  EXPECT_EQ(mesh.ranks(), 6);
  EXPECT_EQ(mesh.local(x).offset, 6);
  EXPECT_EQ(mesh.local(both).offset, 8);
  EXPECT_EQ(mesh.local(both).extent, 2);
  EXPECT_EQ(mesh.local(whole).extent, 7);
}

TEST(Mesh, UnknownAxisIsAnInternalError) {
  const Mesh mesh({{"row", 1}}, 0);
  const std::string text =
      messageOf([&] { mesh.local({"x", 4, 1, DimKind::Space, {"gpu"}}); });
  EXPECT_CONTAINS(text, "unknown mesh axis 'gpu'");
}

TEST(Mesh, ProgramsAskForTheirPart) {
  auto context = makeContext({5, 7});
  EXPECT_EQ(pmrt_local_extent(context.get(), 1), 7);
  EXPECT_EQ(pmrt_local_offset(context.get(), 1), 0);
  EXPECT_CONTAINS(messageOf([&] { pmrt_local_extent(context.get(), 2); }),
                  "internal error: dim 2 of 2");
  EXPECT_CONTAINS(messageOf([&] { pmrt_buffer(context.get(), 0); }),
                  "internal error: buffer 0 of 0");
  EXPECT_CONTAINS(messageOf([&] { pmrt_param_f64(context.get(), -1); }),
                  "internal error: parameter -1 of 0");
}
