/** The pages of the settings, and the sections that each saves together. */
import type { SettingsSection } from '#src/shop/shop-settings/shop-settings.ts';
import { sectionForms } from './settings-sections.ts';
import type { SectionForm } from './settings-field.ts';

export interface SettingsPage {
  readonly path: string;
  /** After saving, and of the draft. */
  readonly title: string;
  readonly sections: readonly SettingsSection[];
}

export const SETTINGS_PAGES = {
  general: {
    path: '/admin/settings',
    title: 'General',
    sections: ['identity', 'legal', 'consumers', 'orders', 'time'],
  },
  payments: {
    path: '/admin/settings/payments',
    title: 'Payments',
    sections: ['refunds', 'returns', 'late_payments'],
  },
  mail: { path: '/admin/settings/mail', title: 'Mail', sections: ['mail'] },
  retention: { path: '/admin/settings/retention', title: 'Retention', sections: ['retention'] },
  texts: { path: '/admin/settings/texts', title: 'Texts', sections: ['announcement'] },
  security: { path: '/admin/security', title: 'Price protection', sections: ['prices'] },
} as const satisfies Readonly<Record<string, SettingsPage>>;

export const listSections = ({ sections }: SettingsPage): SectionForm[] =>
  sectionForms.filter(({ id }) => sections.includes(id));

/** The page that has this section now: all of them were on the first one. Null: the first one, or no section. */
export function findMovedSection(id: string): string | null {
  if (id === 'environment') return '/admin/settings/system#environment';
  const page = Object.values<SettingsPage>(SETTINGS_PAGES).find(({ sections }) => sections.some((one) => one === id));
  return page === undefined || page.path === SETTINGS_PAGES.general.path ? null : `${page.path}#${id}`;
}
