import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { drawCode128, encodeCode128, QUIET_ZONE } from './code-128.ts';

/** Reads a bar code as a scanner does: from the widths of its bars and spaces, with a table of symbols of its own. */
function scan(text: string): string {
  const { bars, width } = drawCode128(text);
  const modules = Array.from({ length: width }, () => '0');
  for (const bar of bars) modules.fill('1', bar.x, bar.x + bar.width);
  const drawn = modules.slice(QUIET_ZONE, -QUIET_ZONE).join('');
  assert.ok(drawn.endsWith('1100011101011'), 'the stop symbol');
  const symbols = drawn.slice(0, -13).match(/.{11}/g) ?? [];
  assert.equal(symbols.join('').length, drawn.length - 13);
  assert.equal(symbols[0], '11010010000', 'start of set B');
  return symbols.slice(1, -1).join(' ');
}

test('[RET-05] a bar code has the symbols of the standard', () => {
  // PJJ123C is the example of the standard's literature, here in set B with its check symbol.
  assert.deepEqual(encodeCode128('PJJ123C'), [104, 48, 42, 42, 17, 18, 19, 35, 55]);
  assert.equal(scan('R-7'), '11000101110 10011011100 11101101110');
});

test('[RET-05] every printable text has bars and spaces of whole symbols', () => {
  const printable = fc.string({
    unit: fc.integer({ min: 32, max: 126 }).map((one) => String.fromCharCode(one)),
    minLength: 1,
  });
  fc.assert(
    fc.property(printable, (text) => {
      assert.equal(scan(text).split(' ').length, text.length);
      const { bars, width } = drawCode128(text);
      assert.equal(width, 11 * (text.length + 2) + 13 + 2 * QUIET_ZONE);
      assert.ok(bars.every((bar) => bar.width >= 1 && bar.width <= 4));
    }),
  );
  assert.throws(() => drawCode128('ä'));
});
