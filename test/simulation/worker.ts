import { playShare, type Share } from './part.ts';

/** One process of `npm run test:faults`: plays its share and reports it. */
process.on('message', ({ share, wanted }: { share: Share; wanted: string }) => {
  void playShare(share, wanted).then((result) => process.send!(result, () => process.disconnect()));
});
