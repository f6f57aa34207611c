import { describeFailure } from './describe-failure.ts';
import { useCallAction } from './use-call-action.ts';

/** Downloads a file below `/api`, which has the name that the shop gives it. */
export function useDownload(path: string) {
  const { isBusy, failed, run } = useCallAction({ log: 'a file could not be downloaded', describe: describeFailure });
  const download = () =>
    run(async () => {
      const { downloadFile } = await import('#src/storefront/download-file.ts');
      await downloadFile(path);
    });
  return { isBusy, failure: failed, download };
}
