import { useEffect, useState } from 'react';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { logAndDescribe } from '#src/storefront/forms/use-call-action.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './private-picture.module.css';

interface PrivatePictureProps {
  /** Below `/api`. */
  readonly path: string;
  readonly alt: string;
  /** Of the large file. */
  readonly width: number;
  readonly height: number;
  /** small: a square of a list. */
  readonly size: 'small' | 'large';
}

type Loaded = { readonly url: string } | { readonly failure: string } | null;

const describe = logAndDescribe('a private picture was not loaded', describeFailure);

function readAsUrl(content: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the picture cannot be read')));
    reader.readAsDataURL(content);
  });
}

/** A picture that needs the session, so that its address alone shows nothing. */
export function PrivatePicture(props: PrivatePictureProps) {
  const [attempt, setAttempt] = useState(1);
  return <Attempt key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />;
}

/** Loads the picture once. */
function Attempt({ path, alt, width, height, size, onRetry }: PrivatePictureProps & Pick<FailedProps, 'onRetry'>) {
  const [loaded, setLoaded] = useState<Loaded>(null);
  useEffect(() => {
    let isWanted = true;
    const show = (result: Loaded): void => {
      if (isWanted) setLoaded(result);
    };
    const load = async (): Promise<void> => {
      const { loadFile } = await import('#src/storefront/download-file.ts');
      show({ url: await readAsUrl(await loadFile(`${path}?size=${size}`)) });
    };
    show(null);
    load().catch((error: unknown) => show({ failure: describe(error) }));
    return () => {
      isWanted = false;
    };
  }, [path, size]);
  const box = classNames(styles.box, size === 'small' && styles.small);
  if (loaded !== null && 'url' in loaded)
    return <img className={box} src={loaded.url} alt={alt} width={width} height={height} />;
  return (
    <span className={classNames(box, styles.empty)}>
      {loaded === null ? (
        <span className="visually-hidden">{`${alt}: loading`}</span>
      ) : (
        <Failed failure={loaded.failure} size={size} onRetry={onRetry} />
      )}
    </span>
  );
}

interface FailedProps extends Pick<PrivatePictureProps, 'size'> {
  readonly failure: string;
  readonly onRetry: () => void;
}

/** A small picture is within a button, which opens the large one with the reason. */
function Failed({ failure, size, onRetry }: FailedProps) {
  if (size === 'small') return <span className="danger small">Not loaded</span>;
  return (
    <>
      <span role="alert" className="danger">
        {failure}
      </span>
      <Button variant="secondary" onClick={onRetry}>
        Try again
      </Button>
    </>
  );
}
