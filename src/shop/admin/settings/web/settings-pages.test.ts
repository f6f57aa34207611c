import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsSections } from '#src/shop/shop-settings/shop-settings.ts';
import { findMovedSection, listSections, SETTINGS_PAGES } from './settings-pages.ts';
import { sectionForms } from './settings-sections.ts';

test('[OPS-07] each section is on one page, and each field has a name of its own', () => {
  const shown = Object.values(SETTINGS_PAGES).flatMap((page) => listSections(page).map(({ id }) => id));
  assert.deepEqual(shown.toSorted(), settingsSections.toSorted());
  const names = sectionForms.flatMap(({ fields }) => fields.map(({ name }) => name));
  assert.equal(new Set(names).size, names.length);
});

test('[OPS-07] a link to a section that moved leads to its page', () => {
  assert.equal(findMovedSection('mail'), '/admin/settings/mail#mail');
  assert.equal(findMovedSection('prices'), '/admin/security#prices');
  assert.equal(findMovedSection('environment'), '/admin/settings/system#environment');
  assert.deepEqual(['identity', 'legal', '', 'nothing'].map(findMovedSection), [null, null, null, null]);
});
