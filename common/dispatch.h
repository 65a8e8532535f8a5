#ifndef FARGRAPH_COMMON_DISPATCH_H_
#define FARGRAPH_COMMON_DISPATCH_H_

/// FARGRAPH_DISPATCHED before the definition of a hot function: a program built for any x86-64
/// processor (the `portable` preset) gets the function once per vector width, and takes the widest
/// that the processor has when it is loaded. Where the program is built for one machine it says
/// nothing, nor to clang, which cannot do this to templates.
///
/// What is dispatched is the function itself: put the loop into a plain function. The body of a
/// lambda or of an OpenMP region inside it is compiled for the least processor alone.
#if defined(FARGRAPH_DISPATCH) && defined(__x86_64__) && !defined(__clang__)
#define FARGRAPH_DISPATCHED __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define FARGRAPH_DISPATCHED
#endif

#endif  // FARGRAPH_COMMON_DISPATCH_H_
