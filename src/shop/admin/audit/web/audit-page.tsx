import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useLoaderData } from 'react-router';
import type { Area } from '#src/shop/permissions.ts';
import { auditSubjectKinds } from '#src/shop/audit-log/audit-entry.ts';
import { formatTotal } from '#src/shop/counted-list.ts';
import { formatZone } from '#src/shop/format.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Badge } from '#src/ui/display/badge.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Disclosure } from '#src/ui/display/disclosure.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { ChoiceFilter, ListFilters, SearchFilter } from '../../kit/list-filters.tsx';
import { ListTitle } from '../../kit/list-title.tsx';
import { NoMatch, PagedList } from '../../kit/paged-list.tsx';
import { ListRow, RowList } from '../../kit/row-list.tsx';
import { readChoice, readPageNumber, readSearchText, requireStaff } from '../../kit/staff-page.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import type { ShownAuditEntry } from '#src/shop/audit-log/list/contract.ts';
import { describeField } from '#src/shop/audit-log/describe-field.ts';
import styles from './audit-page.module.css';
import { downloadAuditLog } from './download-audit-log.ts';

const MAX_QUERY = 200;
const DAY = /^\d{4}-\d\d-\d\d$/;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Audit log · Back office', matches) },
  { name: 'description', content: 'What staff changed, when and how.' },
];

const readDay = (parameters: URLSearchParams, name: string): string => {
  const text = parameters.get(name) ?? '';
  return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';
};

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/audit', 'audit');
  const parameters = new URL(args.request.url).searchParams;
  const page = readPageNumber(parameters);
  const filter = {
    q: readSearchText(parameters, MAX_QUERY),
    actor: parameters.get('actor') ?? '',
    kind: readChoice(parameters, 'kind', auditSubjectKinds) ?? '',
    from: readDay(parameters, 'from'),
    to: readDay(parameters, 'to'),
  };
  const query = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
  const found = await call('GET /support/audit', { query: { ...query, page: String(page) } }).catch(() => null);
  return { found, page, filter, query };
}

/** OPS-06: what staff changed, found by person, subject, day and text. */
export default function AuditPage() {
  const { found, page, filter, query } = useLoaderData<typeof loader>();
  const isFiltered = Object.keys(query).length > 0;
  const actors = found?.actors ?? [];
  const zone = found === null ? '' : ` (${formatZone(found.time_zone)})`;
  const mayExport = useMayUse('accounting');
  return (
    <AdminFrame title={<ListTitle text="Audit log" count={found && formatTotal(found.total, found.has_more)} />}>
      <ListFilters filter={filter} firstWidth="line">
        <SearchFilter label="Name, number or changed value" value={filter.q} maxLength={MAX_QUERY} />
        <ChoiceFilter
          label="Changed by"
          name="actor"
          value={filter.actor}
          hasAll
          options={[
            ...actors.map(({ id, username }) => [id, username] as const),
            ['api-key', 'API keys'],
            ['command', 'Command line or job'],
          ]}
        />
        <ChoiceFilter
          label="Subject"
          name="kind"
          value={filter.kind}
          hasAll
          options={auditSubjectKinds.map((kind) => [kind, describeField(kind)])}
        />
        <Field label={`From${zone}`} name="from" type="date" defaultValue={filter.from} />
        <Field label={`To${zone}`} name="to" type="date" defaultValue={filter.to} />
      </ListFilters>
      <PagedList
        found={found}
        page={page}
        failure="The audit log could not be loaded."
        empty={
          isFiltered ? (
            <NoMatch title="No entry matches." showAll="Show all entries" to="/admin/audit" />
          ) : (
            <EmptyState title="No changes yet.">
              <p>Each change by staff appears here with its values before and after.</p>
            </EmptyState>
          )
        }
      >
        {({ entries }) => (
          <RowList isOrdered>
            {entries.map((entry) => (
              <ListRow key={entry.id} className={styles.entry}>
                <Entry entry={entry} />
              </ListRow>
            ))}
          </RowList>
        )}
      </PagedList>
      {mayExport && found !== null && found.total > 0 && (
        <Section title="Export" className={styles.export}>
          <ConfirmedAction
            button="Download as CSV"
            question="Download the audit log?"
            meaning={
              <p>
                It contains {isFiltered ? 'the entries that match' : 'all entries'}, with names and network addresses of
                staff. Keep it safe.
              </p>
            }
            confirm="Download"
            done="The audit log was downloaded"
            onConfirm={() => downloadAuditLog(query)}
          />
        </Section>
      )}
    </AdminFrame>
  );
}

function Entry({ entry }: { readonly entry: ShownAuditEntry }) {
  const { id, at, actor, ip, subject, title, is_erased: isErased } = entry;
  return (
    <>
      <div>
        <p className="strong">{title}</p>
        <Subject subject={subject} />
      </div>
      <div>
        <p>{actor ?? 'Erased'}</p>
        {ip !== null && <p className="muted small">{ip}</p>}
      </div>
      <p className="muted small">
        <Moment at={at} shows="moment" />
      </p>
      {isErased ? (
        <p className="whole-row">
          <Badge>Details erased</Badge>
        </p>
      ) : (
        <Changes id={id} changes={entry.changes} />
      )}
    </>
  );
}

/** Areas of pages that not everybody who reads the log may open. */
const AREAS: Partial<Readonly<Record<ShownAuditEntry['subject']['kind'], Area>>> = {
  'api-key': 'integrations',
  report: 'team',
  team: 'team',
  webhook: 'integrations',
};

const TEAM_PATH = '/admin/settings/team';

function Subject({ subject: { kind, name, path } }: { readonly subject: ShownAuditEntry['subject'] }) {
  const mayOpen = useMayUse(path === TEAM_PATH ? 'team' : (AREAS[kind] ?? 'audit'));
  return (
    <p className="muted small">
      {path === null || !mayOpen ? (
        name
      ) : (
        <Link to={path} className="link">
          {name}
        </Link>
      )}
    </p>
  );
}

function Changes({ id, changes }: { readonly id: string; readonly changes: ShownAuditEntry['changes'] }) {
  if (changes.length === 0) return null;
  return (
    <Disclosure
      className="whole-row"
      summary={
        <span className="muted small">
          {changes.length === 1 ? '1 value' : `${changes.length} values`}:{' '}
          {changes.map(({ field }) => field).join(', ')}
        </span>
      }
    >
      <Facts layout="beside" className={styles.values}>
        {changes.map(({ field, before, after }) => (
          <Fact key={`${id} ${field}`} label={field} className="multiline">
            {before !== null && <del>{before}</del>}
            {before !== null && after !== null && <span className="muted small"> to </span>}
            {after !== null && <ins>{after}</ins>}
          </Fact>
        ))}
      </Facts>
    </Disclosure>
  );
}
