/*
 * A library for LD_PRELOAD. It saves what each synchronization makes durable: the data of a file or the entries of a
 * directory below a folder. power-cut.ts rebuilds the folder from what is saved.
 *
 * POWER_CUT_FOLDER   the folder, absolute and without a slash at the end
 * POWER_CUT_SAVED    the folder for what is saved, outside of it: one file per inode
 * POWER_CUT_IGNORE   `files` or `directories`: synchronizations that make nothing durable
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* One line for each entry: its inode and its name. */
static void save_entries(DIR *directory, FILE *saved) {
  struct stat found;
  for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory))
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
        fstatat(dirfd(directory), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) == 0)
      fprintf(saved, "%c%llu %s\n", S_ISDIR(found.st_mode) ? 'd' : 'f', (unsigned long long)found.st_ino, entry->d_name);
}

static void save_data(int file, FILE *saved) {
  static char buffer[1 << 20];
  for (ssize_t length = read(file, buffer, sizeof buffer); length > 0; length = read(file, buffer, sizeof buffer))
    fwrite(buffer, 1, (size_t)length, saved);
}

static void save(int descriptor) {
  const char *folder = getenv("POWER_CUT_FOLDER"), *target = getenv("POWER_CUT_SAVED");
  const char *ignored = getenv("POWER_CUT_IGNORE");
  char link[64], path[PATH_MAX], complete[PATH_MAX], partial[PATH_MAX];
  struct stat found;
  if (folder == NULL || target == NULL) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0 || fstat(descriptor, &found) != 0) return;
  path[length] = '\0';
  size_t prefix = strlen(folder);
  if (strncmp(path, folder, prefix) != 0 || (path[prefix] != '/' && path[prefix] != '\0')) return;
  if (ignored != NULL && strcmp(ignored, S_ISDIR(found.st_mode) ? "directories" : "files") == 0) return;
  snprintf(complete, sizeof complete, "%s/%llu", target, (unsigned long long)found.st_ino);
  snprintf(partial, sizeof partial, "%s/%llu.%d", target, (unsigned long long)found.st_ino, getpid());
  int copied = open(link, O_RDONLY | O_CLOEXEC);
  FILE *saved = fopen(partial, "we");
  if (copied < 0 || saved == NULL) abort();
  if (S_ISDIR(found.st_mode)) {
    DIR *directory = fdopendir(copied);
    save_entries(directory, saved);
    closedir(directory);
  } else {
    save_data(copied, saved);
    close(copied);
  }
  /* A process that is killed has saved all or nothing. */
  fclose(saved);
  rename(partial, complete);
}

static int synchronize(const char *name, int descriptor) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = real(descriptor);
  if (result != 0) return result;
  int error = errno;
  pthread_mutex_lock(&lock);
  save(descriptor);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int fsync(int descriptor) { return synchronize("fsync", descriptor); }

int fdatasync(int descriptor) { return synchronize("fdatasync", descriptor); }
