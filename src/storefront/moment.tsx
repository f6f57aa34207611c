import { formatDate } from '#src/shop/format.ts';
import { useTimeZone } from './time-zone.ts';

interface MomentProps {
  /** ISO 8601. */
  readonly at: string;
  readonly shows: 'time' | 'day' | 'moment' | 'clock';
}

/** A date in the visitor's time zone; a shortened one has the full date as its title. */
export function Moment({ at, shows }: MomentProps) {
  const timeZone = useTimeZone();
  return (
    <time
      dateTime={at}
      title={shows === 'moment' ? undefined : formatDate(at, 'moment', timeZone)}
      suppressHydrationWarning
    >
      {formatDate(at, shows, timeZone)}
    </time>
  );
}
