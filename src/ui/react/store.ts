import { useSyncExternalStore } from 'react';

export interface Store<State> {
  get(): State;
  update(change: Partial<State>): void;
  /** Hook. The server, and the browser during hydration, read the initial state. */
  readonly use: <Selected>(select: (state: State) => Selected) => Selected;
}

/** State outside React. The selector of `use` must return a part of the state or a primitive, not a new object. */
export function createStore<State extends object>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get: () => state,
    update(change) {
      state = { ...state, ...change };
      for (const listener of listeners) listener();
    },
    use: (select) =>
      useSyncExternalStore(
        subscribe,
        () => select(state),
        () => select(initial),
      ),
  };
}
