/** Compares a schema before and after a migration: what would break the previous release, which still runs. */
import type { SchemaColumn, SchemaRelation, SchemaRule, SchemaSnapshot } from './schema-snapshot.ts';

interface BreakingChange {
  /** As a line `-- contract: OBJECT … since NNNN` names it. */
  readonly object: string;
  readonly reason: string;
}

export function findBreakingChanges(before: SchemaSnapshot, after: SchemaSnapshot): readonly BreakingChange[] {
  const relations = [...before.relations].flatMap(([name, relation]) => {
    const next = after.relations.get(name);
    return next === undefined
      ? { object: name, reason: 'is removed or renamed' }
      : compareRelation(name, relation, next);
  });
  const rules = [...after.rules].flatMap(([object, rule]) => compareRule(object, rule, before, after));
  const others = [...before.others]
    .filter((name) => !after.others.has(name))
    .map((name) => ({ object: name.replaceAll(' ', ''), reason: 'is removed or renamed' }));
  return [...relations, ...rules, ...others].toSorted((a, b) => a.object.localeCompare(b.object));
}

/** Tables that a migration writes anew, during which nobody can read them. */
export const findRewrittenTables = (before: SchemaSnapshot, after: SchemaSnapshot): readonly string[] =>
  [...before.relations].flatMap(([name, { isTable, file }]) => {
    const next = after.relations.get(name);
    return isTable && next !== undefined && next.file !== file ? name : [];
  });

function compareRelation(name: string, before: SchemaRelation, after: SchemaRelation): BreakingChange[] {
  const changed = [...before.columns].flatMap(([column, old]) => {
    const next = after.columns.get(column);
    const reason = next === undefined ? 'is removed or renamed' : findColumnProblem(old, next);
    return reason === null ? [] : { object: `${name}.${column}`, reason };
  });
  const added = [...after.columns].filter(([column]) => !before.columns.has(column));
  const required = added.filter(([, column]) => column.isRequired && !column.hasDefault);
  return [
    ...changed,
    ...required.map(([column]) => ({ object: `${name}.${column}`, reason: 'is new, not null and without a default' })),
  ];
}

function findColumnProblem(before: SchemaColumn, after: SchemaColumn): string | null {
  if (before.type !== after.type) return `has type ${after.type} instead of ${before.type}`;
  if (after.isRequired && !before.isRequired) return 'becomes not null';
  if (after.isGenerated && !before.isGenerated) return 'becomes generated';
  if (after.isRequired && before.hasDefault && !after.hasDefault) return 'loses its default and is not null';
  return null;
}

function compareRule(
  object: string,
  rule: SchemaRule,
  before: SchemaSnapshot,
  after: SchemaSnapshot,
): BreakingChange[] {
  const relation = before.relations.get(rule.relation);
  if (relation === undefined) return [];
  const old = before.rules.get(object);
  if (old === undefined) {
    return isOfNewColumns(rule, relation) ? [] : [{ object, reason: 'is a new rule for columns that exist' }];
  }
  const left = after.relations.get(rule.relation);
  // The columns are reported already.
  if (old.columns?.some((column) => left?.columns.has(column) !== true) === true) return [];
  const isSame = old.definition === rule.definition || isWider(old.definition, rule.definition);
  return isSame ? [] : [{ object, reason: 'is a changed rule' }];
}

/** The previous release writes the defaults of new columns, which the present rows have too. */
function isOfNewColumns({ kind, columns }: SchemaRule, relation: SchemaRelation): boolean {
  if (columns === null || columns.length === 0) return false;
  // Its rows have the same value in a new column, which is unique only if that is null.
  if (kind !== 'c' && kind !== 'f') return false;
  return columns.every((column) => !relation.columns.has(column));
}

const LIST = /= ANY \(\(?ARRAY\[([^\]]*)\]/g;

const readValues = (match: RegExpExecArray | undefined): readonly string[] => (match?.[1] ?? '').split(', ');

/** Whether two checks differ in lists of allowed values only, and the later lists hold all earlier values. */
function isWider(before: string, after: string): boolean {
  const [old, next] = [[...before.matchAll(LIST)], [...after.matchAll(LIST)]];
  if (old.length === 0 || before.replaceAll(LIST, '') !== after.replaceAll(LIST, '')) return false;
  return old.every((match, index) => readValues(match).every((value) => readValues(next[index]).includes(value)));
}
