import type { SettingsSection } from '#src/shop/shop-settings/shop-settings.ts';
import { toSmallPictureUrl } from '#src/shop/pictures/picture-url.ts';
import { Columns } from '#src/ui/layout/columns.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { Grid } from '#src/ui/layout/grid.ts';
import type { FieldValues } from './settings-field.ts';
import styles from './settings-page.module.css';

interface SectionPreviewProps {
  readonly section: SettingsSection;
  readonly values: FieldValues;
}

/** How the edited texts look on a page. */
export function SectionPreview({ section, values }: SectionPreviewProps) {
  if (section === 'identity') {
    return (
      <Columns width={20}>
        <HeaderPreview scheme="light" values={values} />
        <HeaderPreview scheme="dark" values={values} />
      </Columns>
    );
  }
  if (section !== 'announcement' || !values['announcement_text']) return null;
  return (
    <Stack as="figure" gap={8}>
      <figcaption className="muted small">
        {values['announcement_is_on'] ? 'Preview of the announcement' : 'Preview of the announcement, which is off'}
      </figcaption>
      <p className={styles.announcement}>
        <span className={values['announcement_link'] ? styles.link : undefined}>{values['announcement_text']}</span>
      </p>
    </Stack>
  );
}

/** The header in a colour scheme: a logo has to be readable in both. */
function HeaderPreview({
  scheme,
  values,
}: Pick<SectionPreviewProps, 'values'> & { readonly scheme: 'light' | 'dark' }) {
  const logo = String(values['logo_path'] ?? '');
  return (
    <Stack as="figure" gap={8}>
      <figcaption className="muted small">{`Preview of the header, ${scheme}`}</figcaption>
      <Grid foldsAt={767} gap={24} rowGap={8} surface="soft-small" className={styles.header} data-scheme={scheme}>
        <span>
          <Icon name="pin" size={14} />
          {values['address'] || 'Delivery country'}
        </span>
        {values['delivery_line'] && (
          <span>
            <Icon name="truck" size={14} />
            {values['delivery_line']}
          </span>
        )}
        {logo === '' ? (
          <strong>{values['name'] || 'Home'}</strong>
        ) : (
          <img src={toSmallPictureUrl(logo)} alt={String(values['name'] || 'Home')} className={styles.logo} />
        )}
      </Grid>
    </Stack>
  );
}
