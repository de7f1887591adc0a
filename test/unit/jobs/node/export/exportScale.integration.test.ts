import { testExportScale } from '../../../../support/export/exportScale.ts';

// The tests of a release export twenty times as many.
testExportScale('json', 5000);
testExportScale('csv', 5000);
