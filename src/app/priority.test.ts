import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCallPriority, getPagePriority } from './priority.ts';
import type { Priority } from '#src/platform/http/priority.ts';
import { shopApi } from '#src/shop/api.ts';

test('[OPS-26] checkout and payment come before login and staff, and these before browsing', () => {
  const calls: Readonly<Record<Priority, readonly string[]>> = {
    critical: [
      'POST /cart/checkout',
      'GET /orders',
      'PUT /orders/paid',
      'GET /payments/check/{orderId}',
      'GET /wallet',
      'GET /pay/{token}',
    ],
    normal: ['POST /users/login', 'GET /cart', 'POST /cart/add', 'GET /support/orders', 'POST /tickets/messages'],
    browsing: ['GET /products', 'GET /products/{slug}', 'GET /filters', 'GET /reviews/shop', 'GET /faq'],
  };
  for (const importance of ['critical', 'normal', 'browsing'] as const) {
    for (const key of calls[importance]) {
      assert.ok(key in shopApi, key);
      assert.equal(getCallPriority(key), importance, key);
    }
  }
});

test('[OPS-26] a page has the priority of its calls', () => {
  const pages: Readonly<Record<string, Priority>> = {
    '/cart': 'critical',
    '/pay/abc': 'critical',
    '/dashboard/orders/1': 'critical',
    '/login': 'normal',
    '/admin/payments': 'normal',
    '/dashboard': 'normal',
    '/': 'browsing',
    '/catalog/product/iphone-17-pro': 'browsing',
    '/search-results': 'browsing',
    '/payroll': 'browsing',
    '/no-such-page': 'browsing',
  };
  for (const [path, importance] of Object.entries(pages)) assert.equal(getPagePriority(path), importance, path);
});
