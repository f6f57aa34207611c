import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { foldTyped } from './fold-typed.ts';
import { normaliseCode } from './promotions/promotion.ts';

const INVISIBLE = ['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\ufe0f', ' ', '\u00a0', '\t'];

test('[PROMO-02] a pasted code is the one that was meant', () => {
  const code = fc.stringMatching(/^[A-Z][A-Z0-9-]{2,10}[A-Z0-9]$/);
  const around = fc.tuple(fc.constantFrom('', ...INVISIBLE), fc.constantFrom('', ...INVISIBLE));
  fc.assert(
    fc.property(code, around, fc.boolean(), fc.boolean(), (text, [before, after], isWide, isDashed) => {
      const wide = isWide
        ? text.replaceAll(/[A-Z0-9]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))
        : text;
      const dashed = isDashed ? wide.replaceAll('-', '\u2013') : wide;
      const pasted = before + Array.from(dashed).join('\u200b') + after;
      assert.equal(normaliseCode(pasted.toLowerCase()), text);
    }),
  );
});

test('[PROMO-02] folding changes nothing twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => assert.equal(foldTyped(foldTyped(text)), foldTyped(text))),
  );
});
