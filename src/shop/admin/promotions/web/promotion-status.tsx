import { Section } from '#src/ui/layout/section.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';

interface PromotionStatusProps {
  readonly code: string;
  readonly isActive: boolean;
  readonly onToggle: () => Promise<void>;
}

/** Enables or disables a promotion at once. */
export function PromotionStatus({ code, isActive, onToggle }: PromotionStatusProps) {
  return (
    <Section title="Status" surface="outlined">
      <p className="muted measure">
        {isActive ? 'Enabled: customers can use the code on its dates.' : 'Disabled: nobody can use the code.'}
      </p>
      {isActive ? (
        <ConfirmedAction
          key="disable"
          button="Disable promotion"
          question={`Disable ${code}?`}
          meaning={<p>Its code is refused from the next checkout on. Orders that used it keep their discount.</p>}
          confirm="Disable promotion"
          done="Promotion disabled"
          onConfirm={onToggle}
        />
      ) : (
        <ConfirmedAction
          key="enable"
          button="Enable promotion"
          question={`Enable ${code}?`}
          meaning={<p>Customers can use its code again within its dates and limits.</p>}
          confirm="Enable promotion"
          done="Promotion enabled"
          onConfirm={onToggle}
        />
      )}
    </Section>
  );
}
