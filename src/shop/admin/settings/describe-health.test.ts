import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { describeHealth, PART_NAMES } from './describe-health.ts';

const NAMES = ['database', 'disk', 'chain', 'rate', 'mail', 'jobs'] as const;
const parts = fc.tuple(
  ...NAMES.map((name) =>
    fc.oneof(
      fc.constant({ name, is_ok: true, state: 'ready' }),
      fc.constant({ name, is_ok: true, state: 'unknown' }),
      fc.constant({ name, is_ok: false, state: 'down' }),
    ),
  ),
);

test('[OPS-05] health looks like success only if every part is known to work', () => {
  fc.assert(
    fc.property(parts, (all) => {
      const { tone, text } = describeHealth(all);
      const failing = all.filter((part) => !part.is_ok);
      assert.equal(
        tone === 'good',
        all.every((part) => part.state === 'ready'),
      );
      assert.equal(tone === 'bad', failing.length > 0);
      for (const { name } of failing) assert.ok(text.toLowerCase().includes(PART_NAMES[name].toLowerCase()), text);
    }),
  );
  assert.equal(describeHealth([]).tone, 'neutral');
});

test('[OPS-05] the line names the parts that fail', () => {
  const mail = { name: 'mail', is_ok: false, state: 'failing' } as const;
  const chain = { name: 'chain', is_ok: false, state: 'down' } as const;
  assert.equal(describeHealth([mail]).text, 'Mail needs you');
  assert.equal(describeHealth([chain, mail]).text, 'Chain source and mail need you');
  const disk = { name: 'disk', is_ok: true, state: 'unknown' } as const;
  const database = { name: 'database', is_ok: true, state: 'ready' } as const;
  assert.equal(describeHealth([database, disk]).text, 'Disk: not measured. All other parts work');
});
