import { offeredLanguages, offeredTargets } from './gladiaLanguages.ts';
import { gladiaNames } from './gladiaNames.ts';
import type { FieldFacts, KnownService } from './knownService.ts';

/** Kinds of personal information by their names in other services. */
const entitySynonyms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    person: 'NAME',
    personname: 'NAME',
    address: 'LOCATION_ADDRESS',
    streetaddress: 'LOCATION_ADDRESS_STREET',
    zipcode: 'LOCATION_ZIP',
    postalcode: 'LOCATION_ZIP',
    city: 'LOCATION_CITY',
    country: 'LOCATION_COUNTRY',
    socialsecuritynumber: 'SSN',
    ussocialsecuritynumber: 'SSN',
    dateofbirth: 'DOB',
    birthdate: 'DOB',
    creditcardnumber: 'CREDIT_CARD',
    creditcardcvv: 'CVV',
    iban: 'BANK_ACCOUNT',
    bankaccountnumber: 'BANK_ACCOUNT',
    driverslicense: 'DRIVER_LICENSE',
    passport: 'PASSPORT_NUMBER',
    medicalcondition: 'CONDITION',
    nationality: 'ORIGIN',
  }),
);

/** Values that Gladia's v2 API accepts where the contract does not specify them. */
export const gladia: KnownService = {
  id: 'gladia',
  name: 'Gladia',
  origins: ['https://api.gladia.io'],
  errorCodesAreStatuses: true,
  keepsLanguageByDefault: true,
  subtitlesOriginal: true,
  fields: new Map<string, FieldFacts>([
    ['model', { values: ['solaria-1', 'solaria-3', 'solaria-fusion'] }],
    ['language_config.languages.*', { codes: offeredLanguages, single: 'code' }],
    ['custom_vocabulary_config.default_intensity', { min: 0, max: 1 }],
    ['custom_vocabulary_config.vocabulary.*', { single: 'term' }],
    ['custom_vocabulary_config.vocabulary.*.value', { single: 'term' }],
    ['custom_vocabulary_config.vocabulary.*.intensity', { min: 0, max: 1 }],
    ['custom_vocabulary_config.vocabulary.*.pronunciations.*', { single: 'name' }],
    ['custom_vocabulary_config.vocabulary.*.language', { codes: offeredLanguages }],
    ['custom_spelling_config.spelling_dictionary', { isRequired: true }],
    ['translation_config.target_languages', { isRequired: true }],
    ['translation_config.target_languages.*', { codes: offeredTargets, single: 'code' }],
    ['translation_config.model', { values: ['base', 'enhanced', 'batch'] }],
    ['subtitles_config.minimum_duration', { min: 0 }],
    ['subtitles_config.maximum_duration', { min: 1, max: 30 }],
    ['subtitles_config.maximum_rows_per_caption', { isWhole: true, min: 1, max: 5 }],
    ['subtitles_config.style', { values: ['default', 'compliance'] }],
    ['summarization_config.type', { values: ['general', 'bullet_points', 'concise'] }],
    ['audio_to_llm_config.prompts', { isRequired: true }],
    [
      'pii_redaction_config.entity_types.*',
      {
        single: 'code',
        synonyms: entitySynonyms,
        values:
          'APPI APPI_SENSITIVE CCI CORE_ENTITIES CPRA GDPR GDPR_SENSITIVE HEALTH_INFORMATION HIPAA_SAFE_HARBOR LIDI NUMERICAL_EXCL_PCI PCI QUEBEC_PRIVACY_ACT ACCOUNT_NUMBER AGE DATE DATE_INTERVAL DOB DRIVER_LICENSE DURATION EMAIL_ADDRESS EVENT FILENAME GENDER HEALTHCARE_NUMBER IP_ADDRESS LANGUAGE LOCATION LOCATION_ADDRESS LOCATION_ADDRESS_STREET LOCATION_CITY LOCATION_COORDINATE LOCATION_COUNTRY LOCATION_STATE LOCATION_ZIP MARITAL_STATUS MONEY NAME NAME_FAMILY NAME_GIVEN NAME_MEDICAL_PROFESSIONAL NUMERICAL_PII OCCUPATION ORGANIZATION ORGANIZATION_MEDICAL_FACILITY ORIGIN PASSPORT_NUMBER PASSWORD PHONE_NUMBER PHYSICAL_ATTRIBUTE POLITICAL_AFFILIATION RELIGION SEXUALITY SSN TIME URL USERNAME VEHICLE_ID ZODIAC_SIGN BLOOD_TYPE CONDITION DOSE DRUG INJURY MEDICAL_PROCESS STATISTICS BANK_ACCOUNT CREDIT_CARD CREDIT_CARD_EXPIRATION CVV ROUTING_NUMBER CORPORATE_ACTION DAY EFFECT FINANCIAL_METRIC MEDICAL_CODE MONTH ORGANIZATION_ID PRODUCT PROJECT TREND YEAR'.split(
            ' ',
          ),
      },
    ],
    ['pii_redaction_config.processed_text_type', { values: ['MARKER', 'MASK'] }],
    ['callback_config.url', { isRequired: true, isCalled: true }],
    ['callback_config.method', { values: ['POST', 'PUT'] }],
    ['callback_url', { isCalled: true }],
    ['custom_metadata', { maxCharacters: 2000 }],
  ]),
  ordered: [{ config: 'subtitles_config', min: 'minimum_duration', max: 'maximum_duration' }],
  models: [{ model: 'solaria-3', languages: 'en fr de es it'.split(' '), maxLanguages: 1, switchesLanguages: false }],
  renamed: gladiaNames,
};
