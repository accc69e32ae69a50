//===- Tool.c - The main() of a program that pmc starts -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

int PMRT_TOOL(int argc, char **argv);

int main(int argc, char **argv) { return PMRT_TOOL(argc, argv); }
