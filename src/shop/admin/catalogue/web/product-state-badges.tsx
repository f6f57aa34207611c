import type { ListedProduct } from '#src/shop/catalogue/editing/contract.ts';
import { Badge } from '#src/ui/display/badge.tsx';
import { STATE_NAMES } from '../state-names.ts';

interface ProductStateBadgesProps {
  readonly product: Pick<ListedProduct, 'state' | 'has_unpublished_changes'>;
}

export const ProductStateBadges = ({
  product: { state, has_unpublished_changes: isChanged },
}: ProductStateBadgesProps) => (
  <>
    <Badge tone={state === 'published' ? 'good' : 'neutral'}>{STATE_NAMES[state]}</Badge>
    {isChanged && <Badge>{STATE_NAMES.changed}</Badge>}
  </>
);
