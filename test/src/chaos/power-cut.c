/*
 * A library for LD_PRELOAD. It records all changes of the files below a folder in their order, and their
 * synchronizations. recorded-disk.ts reads the record and rebuilds the folder as a power cut could leave it.
 *
 * POWER_CUT_FOLDER   the folder, absolute and without a slash at the end
 * POWER_CUT_LOG      the file for the record, outside of the folder
 * POWER_CUT_IGNORE   `all`, `files` or `directories`: synchronizations that do nothing
 *
 * A record has a head of five 64-bit words (kind, inode, number, lengths of two texts) and two texts. One lock covers
 * a change and its record, so that both have the same order.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind {
  CREATE = 1,   /* inode; path */
  DIRECTORY,    /* inode; path */
  WRITE,        /* inode, offset; -, data */
  TRUNCATE,     /* inode, length */
  RENAME,       /* -; from, to */
  REMOVE,       /* -; path */
  LINK,         /* -; from, to */
  SYNC,         /* inode, length of the record when the synchronization began */
  MAPPED,       /* inode */
  UNSUPPORTED   /* -; description */
};

#define MAX_DESCRIPTORS 65536

static long (*real)(long number, ...);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static size_t folder_length;
static int record_file = -1;
static int ignores_files, ignores_directories;

/* The inode of each descriptor of a file below the folder; 0 for other descriptors. */
static uint64_t inodes[MAX_DESCRIPTORS];
static unsigned char synchronous[MAX_DESCRIPTORS];

__attribute__((constructor)) static void begin(void) {
  if (real != NULL) return;
  real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  const char *below = getenv("POWER_CUT_FOLDER"), *record = getenv("POWER_CUT_LOG");
  const char *ignored = getenv("POWER_CUT_IGNORE");
  if (below == NULL || record == NULL) return;
  snprintf(folder, sizeof folder, "%s", below);
  folder_length = strlen(folder);
  record_file = (int)real(SYS_openat, AT_FDCWD, record, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  ignores_files = ignored != NULL && (strcmp(ignored, "all") == 0 || strcmp(ignored, "files") == 0);
  ignores_directories = ignored != NULL && (strcmp(ignored, "all") == 0 || strcmp(ignored, "directories") == 0);
}

static void ready(void) {
  if (real == NULL) begin();
}

static void enter(void) { pthread_mutex_lock(&lock); }

static void leave(void) {
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
}

static void note(enum kind kind, uint64_t inode, uint64_t number, const void *first, size_t first_length,
                 const void *second, size_t second_length) {
  int error = errno;
  uint64_t head[5] = {kind, inode, number, first_length, second_length};
  struct iovec parts[3] = {
      {head, sizeof head}, {(void *)first, first_length}, {(void *)second, second_length}};
  ssize_t expected = (ssize_t)(sizeof head + first_length + second_length);
  if (record_file >= 0 && real(SYS_writev, record_file, parts, 3) != expected) abort();
  errno = error;
}

static void note_number(enum kind kind, uint64_t inode, uint64_t number) {
  note(kind, inode, number, NULL, 0, NULL, 0);
}

static void note_path(enum kind kind, uint64_t inode, const char *path) {
  note(kind, inode, 0, path, strlen(path), NULL, 0);
}

static void unsupported(const char *what) { note_path(UNSUPPORTED, 0, what); }

static uint64_t record_length(void) {
  struct stat found;
  return fstat(record_file, &found) == 0 ? (uint64_t)found.st_size : 0;
}

/* Makes the path absolute. Returns whether it is the folder or below it. */
static int is_below(int directory, const char *path, char *absolute) {
  if (record_file < 0 || path == NULL) return 0;
  if (path[0] == '/') snprintf(absolute, PATH_MAX, "%s", path);
  else {
    char parent[PATH_MAX];
    if (directory == AT_FDCWD) {
      if (getcwd(parent, sizeof parent) == NULL) return 0;
    } else {
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
      ssize_t length = readlink(link, parent, sizeof parent - 1);
      if (length < 0) return 0;
      parent[length] = 0;
    }
    if (snprintf(absolute, PATH_MAX, "%s/%s", parent, path) >= PATH_MAX) return 0;
  }
  return strncmp(absolute, folder, folder_length) == 0 &&
         (absolute[folder_length] == '/' || absolute[folder_length] == 0);
}

static uint64_t inode_at(int file) {
  struct stat found;
  return fstat(file, &found) == 0 ? (uint64_t)found.st_ino : 0;
}

static uint64_t inode_of(int file) { return file >= 0 && file < MAX_DESCRIPTORS ? inodes[file] : 0; }

static int open_at(int directory, const char *path, int flags, mode_t mode) {
  ready();
  char absolute[PATH_MAX];
  if (!is_below(directory, path, absolute)) return (int)real(SYS_openat, directory, path, flags, mode);
  enter();
  struct stat before;
  int error = errno;
  int existed = stat(absolute, &before) == 0;
  errno = error;
  if ((flags & O_TMPFILE) == O_TMPFILE) unsupported("O_TMPFILE");
  int file = (int)real(SYS_openat, directory, path, flags, mode);
  if (file >= MAX_DESCRIPTORS) unsupported("a descriptor above the limit");
  else if (file >= 0) {
    inodes[file] = inode_at(file);
    synchronous[file] = (flags & (O_SYNC | O_DSYNC)) != 0;
    if ((flags & O_CREAT) && !existed) note_path(CREATE, inodes[file], absolute);
    else if ((flags & O_TRUNC) && before.st_size > 0) note_number(TRUNCATE, inodes[file], 0);
  }
  leave();
  return file;
}

#define MODE_OF(flags) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { \
    va_list arguments; \
    va_start(arguments, flags); \
    mode = va_arg(arguments, mode_t); \
    va_end(arguments); \
  }

int open(const char *path, int flags, ...) { MODE_OF(flags) return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE_OF(flags) return open_at(AT_FDCWD, path, flags, mode); }
int openat(int directory, const char *path, int flags, ...) { MODE_OF(flags) return open_at(directory, path, flags, mode); }
int openat64(int directory, const char *path, int flags, ...) { MODE_OF(flags) return open_at(directory, path, flags, mode); }
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode); }

static void clear_inode(int file) {
  if (file >= 0 && file < MAX_DESCRIPTORS) inodes[file] = 0;
}

int close(int file) {
  ready();
  clear_inode(file);
  return (int)real(SYS_close, file);
}

/* A copy of a descriptor refers to the same file. */
static int copied(int from, int to) {
  if (to >= 0 && to < MAX_DESCRIPTORS) {
    inodes[to] = inode_of(from);
    synchronous[to] = from < MAX_DESCRIPTORS && from >= 0 ? synchronous[from] : 0;
  }
  return to;
}

int dup(int file) { ready(); return copied(file, (int)real(SYS_dup, file)); }
int dup2(int file, int to) { ready(); return file == to ? to : copied(file, (int)real(SYS_dup3, file, to, 0)); }
int dup3(int file, int to, int flags) { ready(); return copied(file, (int)real(SYS_dup3, file, to, flags)); }

static void note_written(int file, uint64_t offset, const void *data, size_t length) {
  note(WRITE, inodes[file], offset, NULL, 0, data, length);
  if (synchronous[file]) note_number(SYNC, inodes[file], record_length());
}

/* The offset of a write without an offset. */
static uint64_t position_of(int file) {
  struct stat found;
  if ((real(SYS_fcntl, file, F_GETFL) & O_APPEND) && fstat(file, &found) == 0) return (uint64_t)found.st_size;
  return (uint64_t)lseek(file, 0, SEEK_CUR);
}

ssize_t write(int file, const void *data, size_t length) {
  ready();
  if (inode_of(file) == 0) return real(SYS_write, file, data, length);
  enter();
  uint64_t offset = position_of(file);
  ssize_t written = real(SYS_write, file, data, length);
  if (written > 0) note_written(file, offset, data, (size_t)written);
  leave();
  return written;
}

ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
  ready();
  if (inode_of(file) == 0) return real(SYS_pwrite64, file, data, length, offset);
  enter();
  ssize_t written = real(SYS_pwrite64, file, data, length, offset);
  if (written > 0) note_written(file, (uint64_t)offset, data, (size_t)written);
  leave();
  return written;
}
ssize_t pwrite(int file, const void *data, size_t length, off_t offset) { return pwrite64(file, data, length, offset); }

static ssize_t write_parts(int file, const struct iovec *parts, int count, int at, off64_t offset) {
  ready();
  ssize_t total = 0;
  if (inode_of(file) == 0)
    return at ? real(SYS_pwritev, file, parts, count, offset, 0) : real(SYS_writev, file, parts, count);
  for (int part = 0; part < count; part += 1) {
    ssize_t written = at ? pwrite64(file, parts[part].iov_base, parts[part].iov_len, offset + total)
                         : write(file, parts[part].iov_base, parts[part].iov_len);
    if (written < 0) return total > 0 ? total : -1;
    total += written;
    if ((size_t)written < parts[part].iov_len) break;
  }
  return total;
}
ssize_t writev(int file, const struct iovec *parts, int count) { return write_parts(file, parts, count, 0, 0); }
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) { return write_parts(file, parts, count, 1, offset); }
ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) { return write_parts(file, parts, count, 1, offset); }

/* Records data that the system copied into a file. Reads it from the file. */
static void note_copied(int file, uint64_t offset, ssize_t length) {
  char *data = length > 0 ? malloc((size_t)length) : NULL;
  if (data == NULL) return;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  int reader = (int)real(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (reader >= 0 && real(SYS_pread64, reader, data, length, offset) == length)
    note_written(file, offset, data, (size_t)length);
  else unsupported("a copy that cannot be read");
  if (reader >= 0) real(SYS_close, reader);
  free(data);
}

ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t length, unsigned int flags) {
  ready();
  if (inode_of(out) == 0) return real(SYS_copy_file_range, in, from, out, to, length, flags);
  enter();
  uint64_t offset = to == NULL ? position_of(out) : (uint64_t)*to;
  ssize_t copied_bytes = real(SYS_copy_file_range, in, from, out, to, length, flags);
  note_copied(out, offset, copied_bytes);
  leave();
  return copied_bytes;
}

ssize_t sendfile64(int out, int in, off64_t *from, size_t length) {
  ready();
  if (inode_of(out) == 0) return real(SYS_sendfile, out, in, from, length);
  enter();
  uint64_t offset = position_of(out);
  ssize_t sent = real(SYS_sendfile, out, in, from, length);
  note_copied(out, offset, sent);
  leave();
  return sent;
}
ssize_t sendfile(int out, int in, off_t *from, size_t length) { return sendfile64(out, in, from, length); }

int ftruncate64(int file, off64_t length) {
  ready();
  if (inode_of(file) == 0) return (int)real(SYS_ftruncate, file, length);
  enter();
  int result = (int)real(SYS_ftruncate, file, length);
  if (result == 0) note_number(TRUNCATE, inodes[file], (uint64_t)length);
  leave();
  return result;
}
int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

int truncate64(const char *path, off64_t length) {
  ready();
  char absolute[PATH_MAX];
  if (!is_below(AT_FDCWD, path, absolute)) return (int)real(SYS_truncate, path, length);
  int file = open_at(AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
  if (file < 0) return -1;
  int result = ftruncate64(file, length);
  close(file);
  return result;
}
int truncate(const char *path, off_t length) { return truncate64(path, length); }

int fallocate64(int file, int mode, off64_t offset, off64_t length) {
  ready();
  if (inode_of(file) == 0) return (int)real(SYS_fallocate, file, mode, offset, length);
  enter();
  struct stat before;
  fstat(file, &before);
  int result = (int)real(SYS_fallocate, file, mode, offset, length);
  if (result == 0 && mode != 0) unsupported("fallocate with a mode");
  else if (result == 0 && offset + length > before.st_size)
    note_number(TRUNCATE, inodes[file], (uint64_t)(offset + length));
  leave();
  return result;
}
int fallocate(int file, int mode, off_t offset, off_t length) { return fallocate64(file, mode, offset, length); }
int posix_fallocate64(int file, off64_t offset, off64_t length) { return fallocate64(file, 0, offset, length) == 0 ? 0 : errno; }
int posix_fallocate(int file, off_t offset, off_t length) { return posix_fallocate64(file, offset, length); }

static int rename_at(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags) {
  ready();
  char source[PATH_MAX], target[PATH_MAX];
  int leaves = is_below(from_directory, from, source), arrives = is_below(to_directory, to, target);
  if (!leaves && !arrives) return (int)real(SYS_renameat2, from_directory, from, to_directory, to, flags);
  enter();
  int result = (int)real(SYS_renameat2, from_directory, from, to_directory, to, flags);
  if (result == 0 && (!leaves || !arrives || (flags & ~(unsigned)RENAME_NOREPLACE) != 0))
    unsupported("a rename across the folder's border, or an exchange");
  else if (result == 0) note(RENAME, 0, 0, source, strlen(source), target, strlen(target));
  leave();
  return result;
}
int rename(const char *from, const char *to) { return rename_at(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int a, const char *from, int b, const char *to) { return rename_at(a, from, b, to, 0); }
int renameat2(int a, const char *from, int b, const char *to, unsigned int flags) { return rename_at(a, from, b, to, flags); }

int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags) {
  ready();
  char source[PATH_MAX], target[PATH_MAX];
  int leaves = is_below(from_directory, from, source);
  if (!is_below(to_directory, to, target)) return (int)real(SYS_linkat, from_directory, from, to_directory, to, flags);
  enter();
  int result = (int)real(SYS_linkat, from_directory, from, to_directory, to, flags);
  if (result == 0 && !leaves) unsupported("a link to a file outside of the folder");
  else if (result == 0) note(LINK, 0, 0, source, strlen(source), target, strlen(target));
  leave();
  return result;
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int symlinkat(const char *text, int directory, const char *path) {
  ready();
  char absolute[PATH_MAX];
  if (is_below(directory, path, absolute)) unsupported("a symbolic link");
  return (int)real(SYS_symlinkat, text, directory, path);
}
int symlink(const char *text, const char *path) { return symlinkat(text, AT_FDCWD, path); }

int unlinkat(int directory, const char *path, int flags) {
  ready();
  char absolute[PATH_MAX];
  if (!is_below(directory, path, absolute)) return (int)real(SYS_unlinkat, directory, path, flags);
  enter();
  int result = (int)real(SYS_unlinkat, directory, path, flags);
  if (result == 0) note_path(REMOVE, 0, absolute);
  leave();
  return result;
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int directory, const char *path, mode_t mode) {
  ready();
  char absolute[PATH_MAX];
  if (!is_below(directory, path, absolute)) return (int)real(SYS_mkdirat, directory, path, mode);
  enter();
  int result = (int)real(SYS_mkdirat, directory, path, mode);
  struct stat made;
  if (result == 0 && stat(absolute, &made) == 0) note_path(DIRECTORY, (uint64_t)made.st_ino, absolute);
  leave();
  return result;
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

/* Not under the lock: changes by other threads during the synchronization count as not synchronized. */
static int synchronize(long number, int file) {
  ready();
  uint64_t inode = inode_of(file);
  if (inode == 0) return (int)real(number, file);
  struct stat found;
  if (fstat(file, &found) == 0 && (S_ISDIR(found.st_mode) ? ignores_directories : ignores_files)) return 0;
  enter();
  uint64_t start = record_length();
  leave();
  int result = (int)real(number, file);
  enter();
  if (result == 0) note_number(SYNC, inode, start);
  leave();
  return result;
}
int fsync(int file) { return synchronize(SYS_fsync, file); }
int fdatasync(int file) { return synchronize(SYS_fdatasync, file); }

/* Guarantees nothing about power cuts. */
int sync_file_range(int file, off64_t offset, off64_t length, unsigned int flags) {
  ready();
  return (int)real(SYS_sync_file_range, file, offset, length, flags);
}

void *mmap64(void *address, size_t length, int protection, int flags, int file, off64_t offset) {
  ready();
  if (inode_of(file) != 0 && (protection & PROT_WRITE) && (flags & MAP_SHARED)) {
    enter();
    note_number(MAPPED, inodes[file], 0);
    leave();
  }
  return (void *)real(SYS_mmap, address, length, protection, flags, file, offset);
}
void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  return mmap64(address, length, protection, flags, file, offset);
}

/* libuv makes some system calls by number. */
long syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  long a = va_arg(arguments, long), b = va_arg(arguments, long), c = va_arg(arguments, long);
  long d = va_arg(arguments, long), e = va_arg(arguments, long), f = va_arg(arguments, long);
  va_end(arguments);
  ready();
  switch (number) {
    case SYS_close: return close((int)a);
    case SYS_openat: return open_at((int)a, (const char *)b, (int)c, (mode_t)d);
    case SYS_write: return write((int)a, (const void *)b, (size_t)c);
    case SYS_pwrite64: return pwrite64((int)a, (const void *)b, (size_t)c, d);
    case SYS_writev: return write_parts((int)a, (const struct iovec *)b, (int)c, 0, 0);
    case SYS_pwritev: return write_parts((int)a, (const struct iovec *)b, (int)c, 1, d);
    case SYS_copy_file_range: return copy_file_range((int)a, (off64_t *)b, (int)c, (off64_t *)d, (size_t)e, (unsigned)f);
    case SYS_sendfile: return sendfile64((int)a, (int)b, (off64_t *)c, (size_t)d);
    case SYS_ftruncate: return ftruncate64((int)a, b);
    case SYS_fallocate: return fallocate64((int)a, (int)b, c, d);
    case SYS_renameat2: return rename_at((int)a, (const char *)b, (int)c, (const char *)d, (unsigned)e);
    case SYS_linkat: return linkat((int)a, (const char *)b, (int)c, (const char *)d, (int)e);
    case SYS_unlinkat: return unlinkat((int)a, (const char *)b, (int)c);
    case SYS_mkdirat: return mkdirat((int)a, (const char *)b, (mode_t)c);
    case SYS_fsync: return fsync((int)a);
    case SYS_fdatasync: return fdatasync((int)a);
    case SYS_dup3: return dup3((int)a, (int)b, (int)c);
    default: return real(number, a, b, c, d, e, f);
  }
}
