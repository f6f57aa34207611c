import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import '../../tests/support/own-process.ts';
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

const getNewestSocket = (): FakeSocket => {
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
  assert.equal(getNewestSocket().url, 'wss://shop.example/api/wss');
  getNewestSocket().open();
  assert.deepEqual(getNewestSocket().sent, ['{"type":"authenticate","token":"a-token"}']);
  getNewestSocket().say('{"type":"authenticated"}');
  getNewestSocket().say('{"type":"payment_update","data":1}');
  getNewestSocket().say('no JSON');
  getNewestSocket().say('{"type":2}');
  assert.deepEqual(received, [1]);

  getNewestSocket().end(1006);
  mock.timers.tick(999);
  assert.equal(FakeSocket.all.length, 1);
  mock.timers.tick(1);
  assert.equal(FakeSocket.all.length, 2);
  // Never authenticated: the next try waits longer.
  getNewestSocket().end(1006);
  mock.timers.tick(1999);
  assert.equal(FakeSocket.all.length, 2);
  mock.timers.tick(1);
  assert.equal(FakeSocket.all.length, 3);
  getNewestSocket().open();
  getNewestSocket().say('{"type":"authenticated"}');
  stopOther();
  assert.ok(!getNewestSocket().isClosed);
  stop();
  assert.ok(getNewestSocket().isClosed);
});

for (const code of [4401, 4429]) {
  test(`[WS-01] does not reconnect after close code ${code}`, () => {
    const stop = subscribeToMessages(() => {});
    const before = FakeSocket.all.length;
    getNewestSocket().end(code);
    mock.timers.tick(60_000);
    assert.equal(FakeSocket.all.length, before);
    stop();
  });
}
