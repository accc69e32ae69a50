//===- Start.S - Where a program begins that needs libpmrt.so -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What crt1.o of the C library does, for machines without its development files:
// passes main, argc, argv and the loader's exit function to __libc_start_main
// (glibc 2.34 or later). Generated programs have no initializers of their own.
//
//===----------------------------------------------------------------------===//

  .text
  .globl _start
  .hidden _start
  .type _start, %function
_start:
#if defined(__x86_64__)
  xorl %ebp, %ebp                       // the outermost frame
  movq %rdx, %r9                        // the loader's exit function
  popq %rsi                             // argc
  movq %rsp, %rdx                       // argv
  andq $-16, %rsp
  pushq %rax
  pushq %rsp                            // the end of the stack
  xorl %r8d, %r8d                       // no fini
  xorl %ecx, %ecx                       // no init
  movq main@GOTPCREL(%rip), %rdi
  callq *__libc_start_main@GOTPCREL(%rip)
  hlt
#elif defined(__aarch64__)
  mov x29, #0                           // the outermost frame
  mov x30, #0
  mov x5, x0                            // the loader's exit function
  ldr x1, [sp]                          // argc
  add x2, sp, #8                        // argv
  mov x6, sp                            // the end of the stack
  mov x3, #0                            // no init
  mov x4, #0                            // no fini
  adrp x0, :got:main
  ldr x0, [x0, :got_lo12:main]
  bl __libc_start_main
  brk #0
#else
#error "no start for this processor"
#endif
  .size _start, . - _start

  .section .note.GNU-stack, "", %progbits
