import { useNavigate } from 'react-router';
import type { EditedProduct } from '#src/shop/catalogue/editing/contract.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { call } from '#src/storefront/call.ts';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';

/** Actions on a product besides saving it. */
export function ProductActions({ product }: { readonly product: EditedProduct }) {
  const navigate = useNavigate();
  const { id, version, state } = product;
  const request = { params: { id }, body: { version } };
  return (
    <Section id="more-actions" tabIndex={-1} title="More actions" surface="outlined">
      <Row>
        <ConfirmedAction
          button="Duplicate"
          question="Duplicate this product?"
          meaning={
            <p>A draft with the same content is created. It gets a URL, an article number and SKUs of its own.</p>
          }
          confirm="Duplicate"
          done="A copy was created"
          onConfirm={async () => {
            const copy = await call('POST /catalogue/products/{id}/duplicate', { params: { id } });
            await navigate(`/admin/products/${copy.product.id}`);
          }}
        />
        {product.has_unpublished_changes && (
          <ConfirmedAction
            button="Discard draft"
            isDestructive
            question="Discard the unpublished changes?"
            meaning={<p>The product stays as buyers see it now.</p>}
            confirm="Discard draft"
            done="The draft was discarded"
            onConfirm={() => call('POST /catalogue/products/{id}/discard-changes', request)}
          />
        )}
        {state === 'published' && (
          <ConfirmedAction
            button="Withdraw"
            question="Take this product off sale?"
            meaning={<p>Its page disappears at once. Orders stay, and you can bring it back at any time.</p>}
            confirm="Withdraw"
            done="The product was withdrawn"
            onConfirm={() => call('POST /catalogue/products/{id}/withdraw', request)}
          />
        )}
        {state === 'draft' && (
          <ConfirmedAction
            button="Delete"
            isDestructive
            question="Delete this draft?"
            meaning={<p>This can’t be undone.</p>}
            confirm="Delete draft"
            done="The draft was deleted"
            onConfirm={async () => {
              await call('DELETE /catalogue/products/{id}', request);
              await navigate('/admin/products', { replace: true });
            }}
          />
        )}
      </Row>
    </Section>
  );
}
