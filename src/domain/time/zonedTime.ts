const dayMs = 86_400_000;

/**
 * The instant at which clocks in a zone show a time; the earlier one when they show it twice, undefined when they skip it.
 * @param wallMs what the clocks show, written as if it were UTC, milliseconds since the epoch.
 * @param timeZone IANA name; undefined for the machine's own.
 */
export function zonedMs(wallMs: number, timeZone: string | undefined): number | undefined {
  const shown = candidates(wallMs, timeZone).filter((atMs) => wallMsAt(atMs, timeZone) === wallMs);
  return shown.length === 0 ? undefined : Math.min(...shown);
}

/**
 * The first instant of a day in a zone, also where clocks are put forward at midnight.
 * @param dayStartMs the day's midnight, written as if it were UTC.
 */
export function firstOfDayMs(dayStartMs: number, timeZone: string | undefined): number {
  // Clocks that skip midnight do so at the moment that midnight would have been by the old offset.
  return zonedMs(dayStartMs, timeZone) ?? candidates(dayStartMs, timeZone)[0];
}

/** The first instant of the day that it is now in a zone. */
export function startOfTodayMs(nowMs: number, timeZone: string | undefined): number {
  const wall = wallMsAt(nowMs, timeZone);
  return firstOfDayMs(wall - (wall % dayMs), timeZone);
}

/** What clocks in a zone show at an instant, written as if it were UTC. */
export function wallMsAt(atMs: number, timeZone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((each) => each.type === type)?.value);
  const whole = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return whole + (atMs - Math.floor(atMs / 1000) * 1000);
}

/** By the zone's offset before the day and after it: no zone changes its clocks twice within two days. */
function candidates(wallMs: number, timeZone: string | undefined): readonly [number, number] {
  const byOffsetAt = (atMs: number): number => wallMs - (wallMsAt(atMs, timeZone) - atMs);
  return [byOffsetAt(wallMs - dayMs), byOffsetAt(wallMs + dayMs)];
}
