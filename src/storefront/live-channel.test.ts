import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { subscribeToMessages } from './live-channel.ts';

/** A WebSocket whose events the test triggers. */
class FakeSocket extends EventTarget {
  static readonly all: FakeSocket[] = [];
  readonly sent: string[] = [];
  readonly url: string;
  isClosed = false;

  constructor(url: URL) {
    super();
    this.url = String(url);
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.isClosed = true;
  }

  open(): void {
    this.dispatchEvent(new Event('open'));
  }

  say(text: string): void {
    this.dispatchEvent(new MessageEvent('message', { data: text }));
  }

  end(code: number): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }
}

const newest = (): FakeSocket => {
  const socket = FakeSocket.all.at(-1);
  assert.ok(socket);
  return socket;
};

mock.timers.enable({ apis: ['setTimeout'] });
Object.assign(globalThis, {
  WebSocket: FakeSocket,
  window: { location: { href: 'https://shop.example/cart' } },
  localStorage: { getItem: () => 'a-token' },
});

test('[WS-01] [WS-03] authenticates, delivers messages, reconnects, and closes with its last listener', () => {
  const received: unknown[] = [];
  const stop = subscribeToMessages(({ data }) => received.push(data));
  const stopOther = subscribeToMessages(() => {});
  assert.equal(FakeSocket.all.length, 1);
  assert.equal(newest().url, 'wss://shop.example/api/wss');
  newest().open();
  assert.deepEqual(newest().sent, ['{"type":"authenticate","token":"a-token"}']);
  newest().say('{"type":"authenticated"}');
  newest().say('{"type":"payment_update","data":1}');
  newest().say('no JSON');
  newest().say('{"type":2}');
  assert.deepEqual(received, [1]);

  newest().end(1006);
  mock.timers.tick(999);
  assert.equal(FakeSocket.all.length, 1);
  mock.timers.tick(1);
  assert.equal(FakeSocket.all.length, 2);
  // Never authenticated: the next try waits longer.
  newest().end(1006);
  mock.timers.tick(1999);
  assert.equal(FakeSocket.all.length, 2);
  mock.timers.tick(1);
  assert.equal(FakeSocket.all.length, 3);
  newest().open();
  newest().say('{"type":"authenticated"}');
  stopOther();
  assert.ok(!newest().isClosed);
  stop();
  assert.ok(newest().isClosed);
});

for (const code of [4401, 4429]) {
  test(`[WS-01] does not reconnect after close code ${code}`, () => {
    const stop = subscribeToMessages(() => {});
    const before = FakeSocket.all.length;
    newest().end(code);
    mock.timers.tick(60_000);
    assert.equal(FakeSocket.all.length, before);
    stop();
  });
}
