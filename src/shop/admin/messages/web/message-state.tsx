import type { ContactMessage } from '#src/shop/support/contact/contract.ts';
import { Badge } from '#src/ui/display/badge.tsx';

const STATES = {
  new: { text: 'New', tone: 'waiting' },
  answered: { text: 'Answered', tone: 'good' },
  done: { text: 'Done', tone: 'neutral' },
} as const;

export function MessageState({ message }: { readonly message: Pick<ContactMessage, 'is_suspect' | 'state'> }) {
  if (message.is_suspect) return <Badge tone="bad">Spam</Badge>;
  const { text, tone } = STATES[message.state];
  return <Badge tone={tone}>{text}</Badge>;
}
