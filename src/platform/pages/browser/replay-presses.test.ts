/** What a visitor presses and types before hydration. The journeys test the same in a browser. */
import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import '../../../../tests/support/own-process.ts';
import { recordPresses } from './replay-presses.ts';
import type { StartShop } from './replay-presses.ts';

/** A button or field, as far as the script uses it. */
class FakeControl extends EventTarget {
  readonly dataset: Record<string, string> = {};
  readonly tagName: string;
  readonly type: string;
  readonly form: unknown;
  textContent = 'Add to cart';
  disabled = false;
  isConnected = true;
  checked = false;
  clicks = 0;
  written = '';

  constructor(tagName: string, type: string, form: unknown = null) {
    super();
    this.tagName = tagName;
    this.type = type;
    this.form = form;
  }

  get value(): string {
    return this.written;
  }

  set value(text: string) {
    this.written = text;
  }

  closest(): this {
    return this;
  }

  getAttribute(): null {
    return null;
  }

  click(): void {
    this.clicks += 1;
    this.checked = !this.checked;
  }
}

let view: EventTarget;
let page: EventTarget;
let start: StartShop;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
  view = new EventTarget();
  page = new EventTarget();
  start = recordPresses(view, page);
});

function send(name: string, control: FakeControl): Event {
  const event = new Event(name, { cancelable: true });
  Object.defineProperty(event, 'target', { value: control });
  view.dispatchEvent(event);
  return event;
}

function hydrate(): void {
  page.dispatchEvent(new Event('shop:ready'));
  mock.timers.tick(1);
}

test('replays a press once, if the button has the same label', () => {
  const [kept, changed] = [new FakeControl('BUTTON', 'button'), new FakeControl('BUTTON', 'button')];
  assert.ok(send('click', kept).defaultPrevented);
  send('click', kept);
  send('click', changed);
  changed.textContent = 'Remove';
  assert.ok('held' in kept.dataset);
  hydrate();
  hydrate();
  assert.deepEqual([kept.clicks, changed.clicks, kept.dataset], [1, 0, {}]);
});

test('leaves disabled, removed and search buttons alone', () => {
  const search = new FakeControl('BUTTON', 'submit', { method: 'get', hasAttribute: () => true });
  const disabled = new FakeControl('BUTTON', 'button');
  disabled.disabled = true;
  const removed = new FakeControl('BUTTON', 'button');
  assert.ok(!send('click', search).defaultPrevented && !send('click', disabled).defaultPrevented);
  send('click', removed);
  removed.isConnected = false;
  hydrate();
  assert.deepEqual([search.clicks, disabled.clicks, removed.clicks], [0, 0, 0]);
});

test('repeats ticked boxes and typed text as events', () => {
  const [box, field, select] = [
    new FakeControl('INPUT', 'checkbox'),
    new FakeControl('INPUT', 'text'),
    new FakeControl('SELECT', 'select-one'),
  ];
  box.checked = true;
  send('click', box);
  field.value = 'ada';
  select.value = 'DE';
  send('input', field);
  send('input', select);
  const events: string[] = [];
  field.addEventListener('input', () => events.push(`input ${field.value}`));
  select.addEventListener('change', () => events.push(`change ${select.value}`));
  hydrate();
  mock.timers.tick(1);
  mock.timers.tick(1);
  assert.deepEqual([box.clicks, box.checked, events], [1, true, ['input ada', 'change DE']]);
});

const begin = (act: () => void): number => {
  [view, page] = [new EventTarget(), new EventTarget()];
  start = recordPresses(view, page);
  let starts = 0;
  start(() => {
    starts += 1;
    return Promise.resolve();
  });
  act();
  return starts;
};

test('starts once: after the load, at the first interaction, or after a limit', () => {
  assert.equal(
    begin(() => {}),
    0,
  );
  assert.equal(
    begin(() => mock.timers.tick(2500)),
    1,
  );
  assert.equal(
    begin(() => {
      view.dispatchEvent(new Event('load'));
      mock.timers.tick(200);
      mock.timers.tick(2500);
    }),
    1,
  );
  assert.equal(
    begin(() => view.dispatchEvent(new Event('keydown'))),
    1,
  );
});

test('presses are the browser’s if the scripts fail to load; typed text stays', async () => {
  const [button, field] = [new FakeControl('BUTTON', 'button'), new FakeControl('INPUT', 'text')];
  send('click', button);
  send('input', field);
  let inputs = 0;
  field.addEventListener('input', () => (inputs += 1));
  const failing = Promise.reject(new Error('offline'));
  start(() => failing, true);
  await failing.catch(() => {});
  await Promise.resolve();
  mock.timers.tick(1);
  assert.deepEqual([button.clicks, inputs, send('click', button).defaultPrevented], [1, 0, false]);
});
