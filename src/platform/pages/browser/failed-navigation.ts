/** A navigation whose page could not be loaded: the page before it stays until the visitor tries again. */
import type { ComponentType } from 'react';
import type { DataStrategyFunction, UNSAFE_createRouter as createRouter } from 'react-router';
import { createStore } from '#src/ui/store.ts';

export interface FailedNavigation {
  /** The history key of where it leads; null: none has failed. */
  readonly key: string | null;
  /** HTTP status; 0: the shop did not answer. */
  readonly status: number;
  /** The visitor has not closed the message. */
  readonly isShown: boolean;
  readonly isRetrying: boolean;
}

export const NO_FAILED_NAVIGATION: FailedNavigation = { key: null, status: 0, isShown: false, isRetrying: false };

type Args = Parameters<DataStrategyFunction>[0];
type Results = Awaited<ReturnType<DataStrategyFunction>>;

export interface Loading {
  readonly router: ReturnType<typeof createRouter>;
  /** What has been loaded so far, by route. */
  readonly routeModules: Readonly<Record<string, unknown>>;
  readonly load: DataStrategyFunction;
  readonly isUnexpectedError: (error: unknown) => boolean;
}

interface RetryPart {
  readonly loadUntilWhole: (args: Args, first: Results, loading: Loading) => Promise<Results>;
  readonly FailedNavigationNotice: ComponentType;
}

interface FailedNavigations {
  readonly failed: FailedNavigation;
  /** What is done about it. Loaded ahead: when it is needed, nothing can be fetched any more. */
  readonly retry: RetryPart | null;
}

export const failedNavigations = createStore<FailedNavigations>({ failed: NO_FAILED_NAVIGATION, retry: null });
