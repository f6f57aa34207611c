import { useEffect, useRef, useState } from 'react';
import type { Message } from '../contract.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/browser/log-error.ts';

/** Marks the other side's messages as read while the page is visible. */
export function useReadReceipt(ticketId: string, messages: readonly Message[], ownSide: Message['sender_type']): void {
  const isSeen = useIsPageVisible();
  const sentReceipt = useRef<string | null>(null);
  const newest = messages.findLast(({ sender_type: side }) => side !== ownSide)?.id ?? null;
  useEffect(() => {
    if (!isSeen || newest === null || sentReceipt.current === newest) return;
    sentReceipt.current = newest;
    const body = { message_id: newest };
    call('POST /tickets/{id}/read', { params: { id: ticketId }, body }).catch((error: unknown) => {
      sentReceipt.current = null;
      logError('Sending the read receipt failed', error);
    });
  }, [isSeen, newest, ticketId]);
}

function useIsPageVisible(): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const look = () => setIsSeen(document.visibilityState === 'visible');
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isSeen;
}
