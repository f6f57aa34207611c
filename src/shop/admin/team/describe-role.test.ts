import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AREAS, listAreas, mayUse, ROLES } from '#src/shop/permissions.ts';
import { describeRole, summariseRole } from './describe-role.ts';

test('[OPS-17] the description of a role is its row in the table of permissions', () => {
  for (const role of ROLES) {
    const { may, mayNot } = describeRole(role);
    for (const area of listAreas()) {
      assert.equal(may.includes(AREAS[area]), mayUse(role, area), `${role} ${area}`);
      assert.equal(mayNot.includes(AREAS[area]), !mayUse(role, area), `${role} ${area}`);
    }
  }
});

test('[OPS-17] the summary names the shorter of what a role may and may not do', () => {
  assert.equal(summariseRole('owner'), 'Everything.');
  assert.match(summariseRole('manager'), /^Everything but: .*; download backups of the database; /);
  assert.match(summariseRole('shipping'), /^See orders.*; mark orders as shipped and delivered; see and change stock/);
  assert.match(summariseRole('customer'), /^Nothing in the back office/);
});
