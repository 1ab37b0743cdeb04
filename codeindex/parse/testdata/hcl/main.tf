terraform {
  required_version = ">= 1.0"
}

# The bucket.
resource "aws_s3_bucket" "logs" {
  bucket = "logs-${var.stage}"

  versioning {
    enabled = true
  }
}

variable "stage" {
  type    = string
  default = "dev"
}

locals {
  name = lower(var.stage)
}

module "network" {
  source = "./network"
}
