import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compareLines } from './compare-lines.ts';
import type { ComparedPart } from './compare-lines.ts';

const linesOf = fc.array(fc.constantFrom('', 'a', 'b', 'c'), { minLength: 1, maxLength: 40 });

/** Checks shown lines against the text that has them, left-out lines included. */
function assertPartsOf(parts: readonly ComparedPart[], lines: readonly string[], kind: 'added' | 'removed'): void {
  let at = 0;
  for (const part of parts) {
    if (part.kind === 'left-out') at += part.count;
    else if (part.kind === 'same' || part.kind === kind) {
      assert.deepEqual(part.lines, lines.slice(at, at + part.lines.length));
      at += part.lines.length;
    }
  }
  assert.equal(at, lines.length);
}

test('[OPS-07] compared lines are those of both texts', () => {
  fc.assert(
    fc.property(linesOf, linesOf, (before, after) => {
      const { parts, added, removed } = compareLines(before.join('\n'), after.join('\r\n'));
      assert.equal(after.length - before.length, added - removed);
      assert.equal(parts.length === 0, before.join('\n') === after.join('\n'));
      if (parts.length === 0) return;
      assertPartsOf(parts, before, 'removed');
      assertPartsOf(parts, after, 'added');
    }),
  );
});

test('[OPS-07] a comparison leaves out lines far from changes', () => {
  const before = Array.from({ length: 20 }, (_, line) => `line ${line}`);
  const after = before.with(10, 'new').toSpliced(20, 0, 'end');
  assert.deepEqual(compareLines(before.join('\n'), after.join('\n')), {
    parts: [
      { kind: 'left-out', count: 8 },
      { kind: 'same', lines: ['line 8', 'line 9'] },
      { kind: 'removed', lines: ['line 10'] },
      { kind: 'added', lines: ['new'] },
      { kind: 'same', lines: ['line 11', 'line 12'] },
      { kind: 'left-out', count: 5 },
      { kind: 'same', lines: ['line 18', 'line 19'] },
      { kind: 'added', lines: ['end'] },
    ],
    added: 2,
    removed: 1,
  });
});

test('[OPS-07] texts with very many changes are compared as a whole', () => {
  const [before = '', after = ''] = ['a', 'b'].map((name) => {
    const many = Array.from({ length: 3000 }, (_, line) => `${name}${line}`);
    return [...many, 'same', ...many].join('\n');
  });
  const { parts, added, removed } = compareLines(before, after);
  assert.deepEqual([added, removed], [6001, 6001]);
  assert.deepEqual(
    parts.map(({ kind }) => kind),
    ['removed', 'added'],
  );
});
