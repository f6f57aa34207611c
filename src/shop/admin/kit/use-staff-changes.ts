/** OPS-18: pages of the back office load again when what they show has changed. */
import { useEffect, useRef, useState } from 'react';
import { useLoaderData, useLocation, useNavigation, useRevalidator } from 'react-router';
import { sendLiveMessage, subscribeToConnection, subscribeToMessages } from '#src/storefront/live-channel.ts';
import type { LiveMessage } from '#src/storefront/live-channel.ts';
import { reloadPage, useIsAutomaticReload } from '#src/storefront/reload-page.ts';
import { createStore } from '#src/ui/react/store.ts';
import { useEventCallback } from '#src/ui/react/use-event-callback.ts';
import { usePolling } from '#src/ui/page/use-polling.ts';
import { staffTopics } from '../live/staff-topics.ts';
import type { StaffTopic } from '../live/staff-topics.ts';
import { isSame } from './document/merge-changes.ts';
import { isBeingEdited, startTrackingEdits } from './edited-fields.ts';

const RELOAD_EVERY_MS = 1_000;
/** Without the live channel. */
const POLL_MS = 60_000;
/** Another page of the back office keeps the connection of the page before it. */
const LEAVE_AFTER_MS = 2_000;

const live = createStore<{ readonly isJoined: boolean; readonly isStale: boolean }>({
  isJoined: false,
  isStale: false,
});
/** Whether the page waits with loading what changed, because something is being edited. */
export const useIsStale = (): boolean => live.use(({ isStale }) => isStale);
const setStale = (isStale: boolean): void => {
  if (live.get().isStale !== isStale) live.update({ isStale });
};

type Listener = (topics: readonly StaffTopic[]) => void;
const listeners = new Set<Listener>();
let leave: (() => void) | null = null;
let leaving: ReturnType<typeof setTimeout> | undefined;

function readTopics({ data }: LiveMessage): readonly StaffTopic[] {
  const topics = typeof data === 'object' && data !== null && 'topics' in data ? data.topics : null;
  return Array.isArray(topics) ? staffTopics.filter((topic) => topics.includes(topic)) : [];
}

function handleMessage(message: LiveMessage): void {
  if (message.type === 'joined_staff') live.update({ isJoined: true });
  // Changes before the connection were missed.
  const topics = message.type === 'joined_staff' ? staffTopics : readTopics(message);
  if (message.type !== 'joined_staff' && message.type !== 'staff_changed') return;
  for (const listener of listeners) listener(topics);
}

function join(): void {
  clearTimeout(leaving);
  if (leave !== null) return;
  const unwatch = subscribeToConnection((isLive) => {
    if (isLive) sendLiveMessage({ type: 'join_staff' });
    else live.update({ isJoined: false });
  });
  const unsubscribe = subscribeToMessages(handleMessage);
  // The connection of another part may be open already.
  sendLiveMessage({ type: 'join_staff' });
  leave = () => {
    unwatch();
    unsubscribe();
    leave = null;
    live.update({ isJoined: false });
  };
}

function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  join();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) leaving = setTimeout(() => leave?.(), LEAVE_AFTER_MS);
  };
}

/**
 * Calls `act` when one of the topics changes in any process, at most once a second.
 *
 * @param act `isPolled`: the live channel is closed, so a minute has passed instead of a change
 */
export function useStaffTopics(topics: readonly StaffTopic[], act: (isPolled: boolean) => void): void {
  const run = useEventCallback(act);
  const isJoined = live.use((state) => state.isJoined);
  const key = topics.join();
  useEffect(() => {
    let last = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const runNow = (): void => {
      timer = undefined;
      last = Date.now();
      run(false);
    };
    const wanted = new Set(key.split(','));
    const unsubscribe = subscribe((changed) => {
      if (timer === undefined && changed.some((topic) => wanted.has(topic)))
        timer = setTimeout(runNow, Math.max(0, last + RELOAD_EVERY_MS - Date.now()));
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [key, run]);
  usePolling(isJoined ? null : POLL_MS, () => run(true));
}

/**
 * Data of the page's loader, loaded again when one of the topics changes. While a field is being edited, the page keeps
 * what it shows, so that nothing that was typed is lost, and `AdminFrame` shows a notice if what was loaded differs. That
 * includes text typed while a change is being loaded: the load may have removed the form.
 *
 * @param readState what is compared: without what differs in each load, such as the present rate. Omitted: everything.
 */
export function useLiveLoaderData<Loader>(
  topics: readonly StaffTopic[],
  readState: (data: ReturnType<typeof useLoaderData<Loader>>) => unknown = (data) => data,
): ReturnType<typeof useLoaderData<Loader>> {
  const data = useLoaderData<Loader>();
  const { key } = useLocation();
  const isAutomatic = useIsAutomaticReload();
  const [kept, setKept] = useState({ loaded: data, shown: data, key, isOutdated: false });
  if (data !== kept.loaded || key !== kept.key) {
    const isHeld = isAutomatic && key === kept.key && isBeingEdited();
    setKept({
      loaded: data,
      shown: isHeld ? kept.shown : data,
      key,
      isOutdated: isHeld && !isSame(readState(data), readState(kept.shown)),
    });
  }
  useStaffChanges(topics, kept.isOutdated);
  return kept.shown;
}

/**
 * Loads the page again when one of the topics changes, or shows the notice while a field is being edited.
 *
 * @param isOutdated whether the page still shows something else than the last load brought
 */
function useStaffChanges(topics: readonly StaffTopic[], isOutdated: boolean): void {
  const { state } = useRevalidator();
  const isNavigating = useNavigation().state !== 'idle';
  const isDue = useRef(false);
  const isIdle = state === 'idle' && !isNavigating;
  const reload = useEventCallback((isPolled = false) => {
    isDue.current = true;
    if (!isIdle) return;
    // Without the live channel, a load may end at the login page.
    if ((isOutdated || isPolled) && isBeingEdited()) return setStale(true);
    isDue.current = false;
    void reloadPage({ isAutomatic: true });
  });
  useStaffTopics(topics, reload);
  useEffect(() => {
    if (!isIdle) return;
    setStale(false);
    // A change while the page loaded may be newer than what it loaded.
    if (isDue.current || isOutdated) reload();
  }, [isIdle, isOutdated, reload]);
  useEffect(
    () =>
      startTrackingEdits(() => {
        if (live.get().isStale && !isBeingEdited()) reload();
      }),
    [reload],
  );
  useEffect(() => () => setStale(false), []);
}
