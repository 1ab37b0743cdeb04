import { rateType } from './rates.bicep'

@description('Where it runs.')
param location string = resourceGroup().location

// param commented string

var name = 'shop-${location}'

/* resource alsoCommented 'x' = {
} */

type order = {
  lines: int[]
}

// Where orders are.
resource store 'Microsoft.Storage/storageAccounts@2022-09-01' = {
  name: name
  location: location
  sku: {
    name: 'resource quoted {'
  }
}

module site './site.bicep' = {
  name: 'site'
  params: {
    store: store.id
  }
}

func twice(x int) int => x * 2

var text = '''
param quoted string
'''

output id string = store.id
