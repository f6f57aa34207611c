import { Button } from '#src/ui/controls/button.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { useDownload } from './use-download.ts';

interface DownloadButtonProps {
  /** Below `/api`. The file has the name that the shop gives it. */
  readonly path: string;
  readonly text: string;
}

/** Downloads a file that needs the session; says why if that fails. */
export function DownloadButton({ path, text }: DownloadButtonProps) {
  const isHydrated = useHydrated();
  const { isBusy, failure, download } = useDownload(path);
  return (
    <Stack gap={8} align="start">
      <Button variant="secondary" onClick={() => void download()} disabled={!isHydrated} isBusy={isBusy}>
        {text}
      </Button>
      {failure !== null && (
        <p role="alert" className="danger wrap-anywhere">
          {failure}
        </p>
      )}
    </Stack>
  );
}
