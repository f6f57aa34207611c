import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ACCESS_RULES } from './access-rules.ts';
import { isStaffRole, listAreas, mayUse, ROLES, STAFF_ROLES, toShownRole } from './permissions.ts';

test('[OPS-17] owners use every area, customers none', () => {
  for (const area of listAreas()) assert.deepEqual([mayUse('owner', area), mayUse('customer', area)], [true, false]);
});

test('[OPS-17] only owners change the team, settings and legal texts', () => {
  for (const area of ['team', 'settings-changes', 'legal-texts', 'accounting'] as const) {
    assert.deepEqual(
      ROLES.filter((role) => mayUse(role, area)),
      ['owner'],
      area,
    );
  }
});

test('[OPS-17] only managers and owners move money', () => {
  assert.deepEqual(
    ROLES.filter((role) => mayUse(role, 'money')),
    ['manager', 'owner'],
  );
});

test('[OPS-17] unknown roles use nothing', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...listAreas()), (text, area) => {
      fc.pre(!ROLES.some((role) => role === text));
      assert.deepEqual([mayUse(text, area), isStaffRole(text), toShownRole(text)], [false, false, 'customer']);
    }),
  );
  for (const text of ['__proto__', 'constructor', 'staff', 'Owner', '']) assert.equal(mayUse(text, 'orders'), false);
});

test('[API-13] account calls show every role of the team but owner as staff', () => {
  assert.deepEqual(STAFF_ROLES.map(toShownRole), ['owner', 'staff', 'staff', 'staff']);
});

test('[OPS-17] each area has a rule that admits the roles of the area', () => {
  for (const area of listAreas()) {
    for (const role of ROLES) assert.equal(ACCESS_RULES[area].allows(role), mayUse(role, area), `${area}, ${role}`);
  }
});

const SENSITIVE = [
  'money',
  'settings-changes',
  'legal-texts',
  'accounting',
  'report-exports',
  'catalogue-exports',
  'backups',
  'team-changes',
  'own-factor-changes',
  'integration-changes',
];

test('[OPS-17] changes of money, settings, team and integrations need a recent password', () => {
  const found = Object.entries(ACCESS_RULES).filter(([, { needsRecentPassword }]) => needsRecentPassword);
  assert.deepEqual(found.map(([rule]) => rule).toSorted(), SENSITIVE.toSorted());
});
