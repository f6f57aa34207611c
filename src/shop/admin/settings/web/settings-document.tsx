import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { WireResponse } from '#src/shop/codecs.ts';
import type { shopSettingsApi } from '#src/shop/shop-settings/contract.ts';
import { ApiFailure, isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { Columns } from '#src/ui/layout/columns.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import bars from '../../kit/action-bar.module.css';
import { readAsIs, useDocument } from '../../kit/document/use-document.ts';
import { SettingsControl, SettingsList } from './section-form.tsx';
import { SectionPreview } from './section-preview.tsx';
import { listSections } from './settings-pages.ts';
import type { SettingsPage } from './settings-pages.ts';
import { toSectionValues } from './settings-field.ts';
import type { FieldValues, SectionForm, SettingsBody } from './settings-field.ts';
import { toFieldValues } from './settings-sections.ts';

type Sections = WireResponse<(typeof shopSettingsApi)['PUT /shop/settings']>;
export type StoredSettings = WireResponse<(typeof shopSettingsApi)['GET /shop/settings']>;

interface SettingsDocumentProps {
  readonly page: SettingsPage;
  readonly stored: StoredSettings;
  /** Owners may; others read. */
  readonly mayChange: boolean;
}

/** OPS-07: the sections of a page. Owners save all of them at once. */
export function SettingsDocument({ page, stored, mayChange }: SettingsDocumentProps) {
  if (mayChange) return <SettingsForm page={page} stored={stored} />;
  return listSections(page).map((section) => (
    <SectionFrame key={section.id} section={section}>
      <SettingsList section={section} stored={stored[section.id]} />
    </SectionFrame>
  ));
}

interface SectionFrameProps {
  readonly section: SectionForm;
  readonly children: ReactNode;
}

const SectionFrame = ({ section: { id, related, text, title }, children }: SectionFrameProps) => (
  <Section id={id} title={title} surface="outlined">
    <p className="muted measure">{text}</p>
    {related && (
      <Link to={related.to} className="link">
        {related.text}
      </Link>
    )}
    {children}
  </Section>
);

/** The document of a page: all fields, whose names differ, and the sum of the versions, which each change raises. */
const toDocument = (sections: readonly SectionForm[], stored: Sections) => ({
  version: sections.reduce((sum, { id }) => sum + stored[id].version, 0),
  value: Object.fromEntries(sections.flatMap((section) => Object.entries(toFieldValues(section, stored[section.id])))),
});

/** The names of fields without that of their section, which the form does not know. */
function withoutSections(error: unknown): unknown {
  if (!isApiFailure(error)) return error;
  const { status, code, message, conflict, retryAfterSeconds } = error;
  const fields = Object.fromEntries(
    Object.entries(error.fields).map(([path, text]) => [path.split('.').at(-1) ?? path, text]),
  );
  return new ApiFailure(status, code, message, { fields, conflict, retryAfterSeconds });
}

/** Saves the sections that were changed, together. */
function useSettings(page: SettingsPage, stored: StoredSettings) {
  const sections = listSections(page);
  // A draft is based on the versions that were loaded with it.
  const loaded = useRef(new Map<number, Sections>());
  const document = toDocument(sections, stored);
  useEffect(() => void loaded.current.set(document.version, stored));
  return useDocument({
    name: `settings_${page.title}`,
    what: 'these settings',
    stored: document,
    read: readAsIs<FieldValues>,
    send: async (values, { base, version }) => {
      const known = loaded.current.get(version);
      const changed = sections.filter(({ fields }) => fields.some(({ name }) => values[name] !== base[name]));
      // Without the versions the draft is older than this page: the shop refuses it, and says what changed.
      const body: SettingsBody = {};
      for (const section of changed) {
        const { id } = section;
        Object.assign(body, { [id]: toSectionValues(section, values, known?.[id].version ?? 0) });
      }
      try {
        return toDocument(sections, await call('PUT /shop/settings', { body }));
      } catch (error) {
        throw withoutSections(error);
      }
    },
    saved: `${page.title} saved`,
    describeProblem: (path, problem) =>
      `${sections.flatMap(({ fields }) => fields).find(({ name }) => name === path)?.label ?? ''} ${problem}`,
  });
}

function SettingsForm({ page, stored }: Pick<SettingsDocumentProps, 'page' | 'stored'>) {
  const { value, set, messageOf, state } = useSettings(page, stored);
  return (
    <DocumentForm
      document={state}
      label={page.title}
      actions={<DocumentActions document={state} save="Save" className={bars.bar} />}
    >
      {listSections(page).map((section) => (
        <SectionFrame key={section.id} section={section}>
          <Columns width={20} rowGap={24}>
            {section.fields.map((field) => (
              <SettingsControl
                key={field.name}
                field={field}
                timeZones={stored.time_zones}
                value={value[field.name] ?? ''}
                message={messageOf(field.name)}
                onChange={(changed) => set({ [field.name]: changed })}
              />
            ))}
          </Columns>
          <SectionPreview section={section.id} values={value} />
        </SectionFrame>
      ))}
    </DocumentForm>
  );
}
