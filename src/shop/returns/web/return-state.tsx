import { Badge } from '#src/ui/display/badge.tsx';
import type { Return } from '../contract.ts';
import { describeReturn } from '../return-messages.ts';

export const countUnitsToSend = ({ lines }: Pick<Return, 'lines'>): number =>
  lines.reduce((sum, { cancelled, quantity }) => sum + quantity - cancelled, 0);

/** The state of a return, or how it ended. */
export function ReturnState({ one }: { readonly one: Return }) {
  const { text, tone } = describeReturn(one, countUnitsToSend(one));
  return <Badge tone={tone}>{text}</Badge>;
}
