import { useIsAlive } from '#src/web/use-is-alive.ts';

type Shown = 'time' | 'day' | 'moment';

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const;
const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const OPTIONS: Readonly<Record<Shown, Intl.DateTimeFormatOptions>> = {
  time: TIME,
  day: DAY,
  moment: { ...DAY, ...TIME },
};

interface MomentProps {
  /** ISO 8601. */
  readonly at: string;
  readonly shows: Shown;
}

/** A moment in the visitor's own time; the server, which knows no visitor's, writes UTC. Both say which it is. */
export function Moment({ at, shows }: MomentProps) {
  const isAlive = useIsAlive();
  const zone = isAlive ? {} : { timeZone: 'UTC' };
  const text = new Intl.DateTimeFormat('en-GB', { ...OPTIONS[shows], ...zone }).format(new Date(at));
  return <time dateTime={at}>{text}</time>;
}
