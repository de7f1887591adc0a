import { testExportScale } from '../../../../support/export/exportScale.ts';

testExportScale('json', 100_000);
