import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasAllWords, splitWords } from './match-words.ts';

test('[OPS-13] a search for items matches words of names and values', () => {
  const texts = ['iPhone Air', '256GB', 'Sky Blue', 'IPA-256-SB'];
  for (const text of ['iphone', '  BLUE air ', '256 sky', 'ipa-256']) {
    assert.ok(hasAllWords(splitWords(text), texts), text);
  }
  assert.ok(hasAllWords(splitWords('etui lodz'), ['Étui Łódź'.normalize('NFD')]));
  assert.ok(!hasAllWords(splitWords('iphone red'), texts));
  assert.deepEqual(splitWords(' A  b\tC '), ['a', 'b', 'c']);
});
