import { arriving } from './arriving.ts';
import { away } from './away.ts';
import { byStaff } from './by-staff.ts';
import { givingBack } from './giving-back.ts';
import { inTime } from './in-time.ts';
import { leaving } from './leaving.ts';
import type { Outcome } from './outcome.ts';

/** In an order that any of them may come first in. */
export const outcomes: readonly Outcome[] = [...arriving, ...leaving, ...inTime, ...byStaff, ...givingBack, ...away];
