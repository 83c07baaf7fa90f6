/*
 * Functions and data that libstdc++ expects from glibc and that musl lacks. They let Debian's libstdc++ run with musl's
 * loader, because Debian has no C++ library for musl. This file includes no headers of either library.
 */
typedef unsigned long size_t;
typedef unsigned int u32;

char __libc_single_threaded = 0;
struct { u32 vendor, type, subtype, features[1]; } __cpu_model;
u32 __cpu_features2[4];
int __cpu_indicator_init(void) { return 0; }

long syscall(long, ...);
u32 arc4random(void) {
  u32 value = 4;
  syscall(318 /* getrandom */, &value, 4, 0);
  return value;
}

size_t strftime_l(char *, size_t, const char *, const void *, void *);
size_t __strftime_l(char *text, size_t size, const char *format, const void *time, void *locale) {
  return strftime_l(text, size, format, time, locale);
}

/* Destructors of thread-local objects are never called. */
int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *library) { return 0; }

/* Lets the unwinder find the tables of the library that contains an address. */
struct segment { u32 type, flags; unsigned long offset, address, physical, file_size, memory_size, alignment; };
struct library { unsigned long base; const char *name; const struct segment *segments; unsigned short count; };
int dl_iterate_phdr(int (*)(struct library *, size_t, void *), void *);
struct found { unsigned long long flags; void *start, *end, *link, *tables; unsigned long long reserved[7]; };
struct search { unsigned long address; struct found *found; };

static int visit(struct library *library, size_t size, void *data) {
  struct search *search = data;
  unsigned long low = -1UL, high = 0, tables = 0;
  int inside = 0;
  for (int i = 0; i < library->count; i++) {
    const struct segment *segment = &library->segments[i];
    unsigned long start = library->base + segment->address, end = start + segment->memory_size;
    if (segment->type == 0x6474e550 /* PT_GNU_EH_FRAME */) tables = start;
    if (segment->type != 1 /* PT_LOAD */) continue;
    if (start < low) low = start;
    if (end > high) high = end;
    if (search->address >= start && search->address < end) inside = 1;
  }
  if (!inside || !tables) return 0;
  *search->found = (struct found){0, (void *)low, (void *)high, 0, (void *)tables};
  return 1;
}
int _dl_find_object(void *address, struct found *found) {
  struct search search = {(unsigned long)address, found};
  return dl_iterate_phdr(visit, &search) == 1 ? 0 : -1;
}
