/**
 * Loaded before the tests of a process. Node's test runner follows every promise to the test that created it, only to
 * name the test of an uncaught error, which makes an `await` thirty times as expensive. Here such an error fails the
 * process of the test files instead (docs/decisions/0118-promises-of-tests.md).
 */
import asyncHooks from 'node:async_hooks';

const { createHook } = asyncHooks;
asyncHooks.createHook = (options) => createHook({ ...options, trackPromises: false });
