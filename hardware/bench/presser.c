/*
 * The bench's finger: drives lines of a gpio-sim chip by a script and says when it truly did.
 *
 * usage: presser PULL-FILE... <script >log
 *
 * A line of the script is "AT_NS LINE LEVEL": at AT_NS after the start, pull line LINE (its number among the
 * arguments) to LEVEL. A line of the log is "LINE LEVEL BEFORE_NS AFTER_NS": CLOCK_MONOTONIC just before and
 * just after the write; the interrupt runs in between.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define LINES 64
#define NEAR_NS 8000 /* closer than this the finger waits by looking at the clock, not by sleeping */
#define AGAIN_NS 60000 /* a line is not moved again sooner: the kernel would merge what it had no time to queue */
#define PRIORITY 80   /* above the kernel's interrupt threads (50): two fingers wait for no thread between them */

struct step {
    long long at, before, after;
    int line, level;
};

static long long now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void wait_until(long long then)
{
    long long left = then - now();

    if (left > NEAR_NS) {
        long long wake = then - NEAR_NS / 2;
        struct timespec t = { wake / 1000000000LL, wake % 1000000000LL };

        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
    }
    while (now() < then)
        ;
}

int main(int count, char **names)
{
    static const char *words[] = { "pull-down", "pull-up" };
    static const int lengths[] = { 9, 7 };
    int files[LINES];
    long long moved[LINES] = { 0 };
    size_t size = 0, room = 1 << 16, i;
    struct step *steps = malloc(room * sizeof *steps);
    long long start;

    if (count < 2 || count > LINES || !steps)
        return 2;
    for (int line = 1; line < count; line++) {
        files[line - 1] = open(names[line], O_WRONLY);
        if (files[line - 1] < 0) {
            perror(names[line]);
            return 1;
        }
    }
    while (scanf("%lld %d %d", &steps[size].at, &steps[size].line, &steps[size].level) == 3) {
        if (steps[size].line < 0 || steps[size].line >= count - 1)
            return 2;
        if (++size == room && !(steps = realloc(steps, (room *= 2) * sizeof *steps)))
            return 1;
    }
    mlockall(MCL_CURRENT);
    if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = PRIORITY })) {
        perror("sched_setscheduler");
        return 1;
    }
    start = now() + 1000000;
    for (i = 0; i < size; i++) {
        struct step *step = &steps[i];
        long long soonest = moved[step->line] + AGAIN_NS;

        wait_until(start + step->at > soonest ? start + step->at : soonest);
        step->before = now();
        if (pwrite(files[step->line], words[step->level], lengths[step->level], 0) < 0) {
            perror("write");
            return 1;
        }
        step->after = now();
        moved[step->line] = step->after;
    }
    for (i = 0; i < size; i++)
        printf("%d %d %lld %lld\n", steps[i].line, steps[i].level, steps[i].before, steps[i].after);
    return 0;
}
