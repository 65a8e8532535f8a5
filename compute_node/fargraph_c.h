#ifndef FARGRAPH_COMPUTE_NODE_FARGRAPH_C_H_
#define FARGRAPH_COMPUTE_NODE_FARGRAPH_C_H_

#include <stddef.h>
#include <stdint.h>

/* The directives of fargraph.h for C. The calls, their order, units and threads are the same; only
 * what C writes otherwise is said here.
 *
 * Every call that returns int returns 0, or one of the exit codes of docs/command-line.md (5: a
 * memory node is unreachable, 7: it is full, or this process has no memory left, ...);
 * fargraph_error() then says in one sentence what happened. 8 is also the code of a call that comes
 * at the wrong time, such as a read of what was never written. */
#ifdef __cplusplus
extern "C" {
#endif

/* Names as C writes them. NOLINTBEGIN(readability-identifier-naming,modernize-*) */
typedef struct fargraph_program fargraph_program;

enum fargraph_sensitivity {
  FARGRAPH_SAMPLED = 0, /* nothing is declared: as a sampled run shows */
  FARGRAPH_STREAMED = 1,
  FARGRAPH_INDEXED = 2,
  FARGRAPH_SEQUENTIAL_WRITE = 3,
  FARGRAPH_RANDOM_WRITE = 4
};

typedef struct fargraph_segment {
  const char* name;
  uint64_t bytes;
  enum fargraph_sensitivity sensitivity;
  const void* array; /* for FARGRAPH_SAMPLED; else NULL will do */
} fargraph_segment;

typedef struct fargraph_traffic {
  uint64_t bytes;
  uint64_t requests;
} fargraph_traffic;

/* The sentence of this thread's last error; valid until its next call. */
const char* fargraph_error(void);

/* *program is the caller's, to be given to fargraph_close. chunk_bytes and buffers: 0 takes the
 * default. */
int fargraph_Add_transferable_flag(const fargraph_segment* segments, size_t count, double far_ratio,
                                   uint64_t chunk_bytes, uint32_t buffers,
                                   fargraph_program** program);

int fargraph_Far_sample_complete(fargraph_program* program);
/* FARGRAPH_SAMPLED while it is being sampled, and where there is no such segment. */
enum fargraph_sensitivity fargraph_Far_sensitivity(const fargraph_program* program, size_t segment);
/* The caller's, to be given to free; NULL when there is no memory for it. */
char* fargraph_Far_explain(const fargraph_program* program);

/* memory_nodes: "HOST:PORT,HOST:PORT"; NULL: none. transport: "auto", "verbs", "shm" or "tcp";
 * NULL: "auto". token: NULL where none is asked for. */
int fargraph_Build_connection(fargraph_program* program, const char* memory_nodes,
                              const char* transport, const char* token);

/* 0 where there is no such segment or chunk. */
uint64_t fargraph_Far_chunks(const fargraph_program* program, size_t segment);
uint64_t fargraph_Far_chunk_bytes(const fargraph_program* program, size_t segment, uint64_t chunk);
uint64_t fargraph_Far_bytes(const fargraph_program* program);

int fargraph_Far_write_start(fargraph_program* program, size_t segment, uint64_t chunk,
                             const void* bytes, uint64_t length);
int fargraph_Far_write_complete(fargraph_program* program, size_t segment);

int fargraph_Far_read_start(fargraph_program* program, size_t segment, uint64_t chunk);
/* *ready becomes 1 once fargraph_Far_read_complete will not wait, else 0. */
int fargraph_Far_read_ready(fargraph_program* program, size_t segment, uint64_t chunk, int* ready);
/* *bytes points to fargraph_Far_chunk_bytes bytes until fargraph_Far_release. */
int fargraph_Far_read_complete(fargraph_program* program, size_t segment, uint64_t chunk,
                               const void** bytes);
int fargraph_Far_release(fargraph_program* program, size_t segment, uint64_t chunk);

fargraph_traffic fargraph_Far_traffic(const fargraph_program* program);

/* Completes what is under way and gives all far memory back. NULL is allowed. */
void fargraph_close(fargraph_program* program);

/* NOLINTEND(readability-identifier-naming,modernize-*) */

#ifdef __cplusplus
}
#endif

#endif /* FARGRAPH_COMPUTE_NODE_FARGRAPH_C_H_ */
