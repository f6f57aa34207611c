/** State of a navigation whose page could not be loaded. The current page stays until the visitor retries. */
import type { ComponentType } from 'react';
import type { DataStrategyFunction, UNSAFE_createRouter as createRouter } from 'react-router';
import { createStore } from '#src/ui/react/store.ts';

export interface FailedNavigation {
  /** History key of the target; null if no navigation failed. */
  readonly key: string | null;
  /** HTTP status; 0: no response. */
  readonly status: number;
  /** False after the visitor closed the message. */
  readonly isShown: boolean;
  readonly isRetrying: boolean;
}

export const NO_FAILED_NAVIGATION: FailedNavigation = { key: null, status: 0, isShown: false, isRetrying: false };

type Args = Parameters<DataStrategyFunction>[0];
type Results = Awaited<ReturnType<DataStrategyFunction>>;

export interface Loading {
  readonly router: ReturnType<typeof createRouter>;
  /** Loaded route modules by id. */
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
  /** Loaded in advance, because nothing can be fetched when it is needed. */
  readonly retry: RetryPart | null;
}

export const failedNavigations = createStore<FailedNavigations>({ failed: NO_FAILED_NAVIGATION, retry: null });
