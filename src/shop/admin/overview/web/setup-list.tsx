import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Disclosure } from '#src/ui/display/disclosure.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { SETUP_TEXTS } from '../../settings/setup-checklist.ts';
import type { SetupStepState } from '../../settings/contract.ts';

/** The set-up checklist: what is missing, each with the page to do it on, and below it what is done. */
export function SetupList({ steps }: { readonly steps: readonly SetupStepState[] }) {
  const [done, open] = [steps.filter((one) => one.is_done), steps.filter((one) => !one.is_done)];
  return (
    <>
      <p className="muted">{`${done.length} of ${steps.length} done. This list disappears once all are done.`}</p>
      <Lines as="ol" isFramed>
        {open.map(({ step }, at) => (
          <Row as="li" key={step} justify="between" rowGap={8}>
            <OpenStep step={step} isNext={at === 0} />
          </Row>
        ))}
      </Lines>
      {done.length > 0 && (
        <Disclosure summary={`${done.length} done`}>
          <Stack as="ul" gap={4}>
            {done.map(({ step }) => (
              <Row as="li" key={step} gap={8} className="success">
                <Icon name="check" size={18} />
                {SETUP_TEXTS[step].title}
              </Row>
            ))}
          </Stack>
        </Disclosure>
      )}
    </>
  );
}

interface OpenStepProps {
  readonly step: SetupStepState['step'];
  /** The first one that is missing. */
  readonly isNext: boolean;
}

function OpenStep({ step, isNext }: OpenStepProps) {
  const { action, text, title } = SETUP_TEXTS[step];
  return (
    <>
      <div className="measure">
        <h3>{title}</h3>
        <p className="muted small">{text}</p>
      </div>
      {action !== null && (
        <ButtonLink to={action.to} variant={isNext ? 'primary' : 'secondary'}>
          {action.text}
        </ButtonLink>
      )}
    </>
  );
}
