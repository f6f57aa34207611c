/** The limits and the priority of each call, and where and by whom shared limits are counted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCallPriority } from '#src/app/priority.ts';
import type { AnyRoute } from '#src/platform/http/call.ts';
import { CALL_LIMITS } from './support/call-limits.ts';
import { readRoutes } from './support/shop-routes.ts';

const describeLimit = (key: string, { limit }: AnyRoute): string => {
  const { points, seconds, by, isShared = false } = limit;
  return `${points} in ${seconds} s by ${by}${isShared ? ', shared' : ''}, ${getCallPriority(key)}`;
};

test('[OPS-26] each call has the limit and priority of the table', async () => {
  const routes = await readRoutes();
  const limits = Object.fromEntries(Object.entries(routes).map(([key, route]) => [key, describeLimit(key, route)]));
  assert.deepEqual(limits, { ...CALL_LIMITS });
});
