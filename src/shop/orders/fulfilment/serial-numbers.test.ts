import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  checkParcelSerials,
  checkSerials,
  findSerialProblem,
  hasCheckDigit,
  normaliseSerial,
  splitSerials,
} from './serial-numbers.ts';

const digits = (length: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length });
/** IMEIs by a rule of their own: the digit that completes the sum to a multiple of ten. */
const imei = digits(14).map((first) => {
  const sum = first.reduce((all, digit, index) => {
    const counted =
      index % 2 === 1
        ? String(digit * 2)
            .split('')
            .reduce((one, part) => one + Number(part), 0)
        : digit;
    return all + counted;
  }, 0);
  return [...first, (10 - (sum % 10)) % 10].join('');
});

test('[OPS-29] an IMEI has 15 digits and a check digit', () => {
  // From the specification of 3GPP and from a phone.
  assert.equal(findSerialProblem('imei', '490154203237518'), null);
  assert.equal(findSerialProblem('imei', '356938035643809'), null);
  assert.match(findSerialProblem('imei', '490154203237519') ?? '', /check digit/);
  for (const wrong of ['', '4901542032375', '4901542032375180', '49015420323751A', '４90154203237518']) {
    assert.match(findSerialProblem('imei', wrong) ?? '', /15 digits/, wrong);
  }
  fc.assert(fc.property(imei, (number) => findSerialProblem('imei', number) === null));
});

test('[OPS-29] a single wrong digit of an IMEI is found, as are most exchanged ones', () => {
  fc.assert(
    fc.property(imei, fc.nat(14), fc.integer({ min: 1, max: 9 }), (number, at, by) => {
      const wrong = number.split('');
      wrong[at] = String((Number(wrong[at]) + by) % 10);
      assert.equal(hasCheckDigit(wrong.join('')), false);
    }),
  );
  fc.assert(
    fc.property(imei, fc.nat(13), (number, at) => {
      const [a = '', b = ''] = [number[at], number[at + 1]];
      const exchanged = `${number.slice(0, at)}${b}${a}${number.slice(at + 2)}`;
      // Luhn does not see 09 for 90.
      const isSeen = a !== b && a + b !== '09' && a + b !== '90';
      assert.equal(hasCheckDigit(exchanged), !isSeen);
    }),
  );
});

test('[OPS-29] numbers are separated by lines, spaces, commas or semicolons, in any mixture', () => {
  assert.deepEqual(splitSerials(' C02A\r\nC02B,C02C; C02D\n\n'), ['C02A', 'C02B', 'C02C', 'C02D']);
  assert.deepEqual(splitSerials(' \n'), []);
  const separator = fc.stringMatching(/^[ \n\t,;]{1,3}$/);
  fc.assert(
    fc.property(fc.array(imei, { maxLength: 20 }), separator, (numbers, between) => {
      assert.deepEqual(splitSerials(`${numbers.join(between)}\n`), numbers);
    }),
  );
});

test('[OPS-29] a number has one spelling', () => {
  assert.equal(normaliseSerial('serial', ' c02x-1 '), 'C02X-1');
  assert.equal(normaliseSerial('imei', '49-015420-323751-8'), '490154203237518');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom('serial', 'imei'), (text, kind) => {
      const once = normaliseSerial(kind, text);
      assert.equal(normaliseSerial(kind, once), once);
      // What is accepted is what the database accepts.
      if (findSerialProblem(kind, once) === null) assert.match(once, /^[0-9A-Z][0-9A-Z./_:+-]{0,39}$/);
    }),
  );
});

const problemOf = (...args: Parameters<typeof checkSerials>) => checkSerials(...args).problem ?? '';

test('[OPS-29] says which numbers are wrong, doubled, missing or too many', () => {
  assert.equal(problemOf('serial', ['A1', 'a2'], 2), '');
  assert.equal(problemOf('imei', [], 2), 'Enter 2 IMEIs, one for each unit.');
  assert.equal(problemOf('serial', ['A1'], 3), '2 serial numbers missing, one for each unit.');
  assert.equal(problemOf('serial', ['A1', 'A2', 'A3'], 1), '2 serial numbers too many: 1 unit is shipped.');
  assert.equal(
    problemOf('serial', ['A1', 'a1'], 2),
    'A1 is entered twice. 1 serial number missing, one for each unit.',
  );
  assert.match(problemOf('serial', ['<b>'], 1), /^<B> has characters/);
  assert.match(problemOf('serial', ['A'.repeat(41)], 1), /longer than 40/);
  const many = problemOf(
    'serial',
    Array.from({ length: 20 }, (_, index) => `#${index}`),
    20,
  );
  assert.match(many, /And 15 more problems\.$/);
});

test('[OPS-29] a parcel has a number for each unit that asks for one, and no other', () => {
  const lines = [
    { position: 0, name: 'iPhone 17', serial_kind: 'imei' as const },
    { position: 1, name: 'MacBook Air', serial_kind: 'serial' as const },
    { position: 2, name: 'Case', serial_kind: 'none' as const },
  ];
  const all = [0, 1, 2].map((position) => ({ position, quantity: 1 }));
  const phone = { position: 0, numbers: ['490154203237518'] };
  assert.deepEqual(checkParcelSerials(lines, all, [phone, { position: 1, numbers: ['c02'] }]), {
    ok: true,
    serials: [phone, { position: 1, numbers: ['C02'] }],
  });
  assert.deepEqual(checkParcelSerials(lines, [{ position: 2, quantity: 9 }], []), { ok: true, serials: [] });
  const problemsOf = (entered: Parameters<typeof checkParcelSerials>[2]) => {
    const checked = checkParcelSerials(lines, all, entered);
    return checked.ok ? {} : checked.problems;
  };
  assert.deepEqual(Object.keys(problemsOf([phone])), ['serials.1']);
  assert.deepEqual(problemsOf([phone, { position: 1, numbers: ['490154203237518'] }]), {
    'serials.1': '490154203237518 is entered for iPhone 17, too.',
  });
  assert.deepEqual(Object.keys(problemsOf([phone, { position: 1, numbers: ['X'] }, { position: 2, numbers: ['Y'] }])), [
    'serials.2',
  ]);
  assert.deepEqual(Object.keys(problemsOf([{ position: 7, numbers: ['Y'] }])), ['serials.0', 'serials.1', 'serials.7']);
});
